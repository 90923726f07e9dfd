// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

package struct BrowserFiles: Sendable {
    package let program: String

    package init(program: String) { self.program = program }

    package static var besideThisProgram: BrowserFiles {
        let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return BrowserFiles(program: URL(filePath: here).deletingLastPathComponent().path + "/handoff-browser-host")
    }

    package var hasProgram: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: program, isDirectory: &isFolder) && !isFolder
            && FileManager.default.isExecutableFile(atPath: program)
    }

    /// Where `make install` puts it, or in the checkout in which the program was built.
    package var extensionFolder: String? {
        var folder = URL(filePath: program).deletingLastPathComponent()
        var places = [folder.deletingLastPathComponent().path + "/share/handoff/extension"]
        while folder.path.count > 1 {
            if folder.lastPathComponent == ".build" {
                places.append(folder.deletingLastPathComponent().path + "/Extension")
            }
            folder = folder.deletingLastPathComponent()
        }
        return places.first { FileManager.default.fileExists(atPath: $0 + "/manifest.json") }
    }
}
