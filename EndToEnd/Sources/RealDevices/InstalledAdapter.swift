// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The description and the executables of an adapter, as its package installs them, in a folder that only root can change.
/// The test removes the folder.
package struct InstalledAdapter {
    /// Not below a folder for temporary files, where anyone may write.
    package let root: URL

    /// `placeholder`: in the description, for `root` and then `suffix`.
    package init(
        describedIn description: URL, executables: [URL], replacing placeholder: String, by suffix: String = ""
    ) throws {
        root = URL(filePath: "/var/lib/handoff-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: descriptions, withIntermediateDirectories: true)
        let text = try String(contentsOf: description, encoding: .utf8)
            .replacingOccurrences(of: placeholder, with: root.path + suffix)
        try Data(text.utf8).write(to: descriptions.appending(path: description.lastPathComponent))
        _ = try RunningProgram.run(
            ["install", "-D", "-m", "755", "-t", executable("").path] + executables.map(\.path))
        _ = try RunningProgram.run(["chmod", "-R", "go=rX", root.path])
    }

    /// A data folder of `XDG_DATA_DIRS`.
    package var data: URL { root.appending(path: "share") }
    package var descriptions: URL { data.appending(path: "handoff/programs") }

    package func executable(_ name: String) -> URL { root.appending(path: "libexec/handoff").appending(path: name) }
}
