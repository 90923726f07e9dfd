// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The built programs: in `.build/debug` of the root package, or in `HANDOFF_BIN`.
package enum Builds {
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package static let programs: URL = {
        guard let named = ProcessInfo.processInfo.environment["HANDOFF_BIN"] else {
            return root.appending(path: ".build/debug")
        }
        return URL(filePath: named)
    }()

    package static let daemon = programs.appending(path: "handoffd").path
    package static let desktopPart = programs.appending(path: "handoff-bus").path
    package static let commandLine = programs.appending(path: "handoff").path
    package static let adapters = programs.appending(path: "handoff-adapters").path
    package static let bus = programs.appending(path: "handoff-bus").path
    package static let browserExtension = root.appending(path: "Extension").path
    /// Acts as an attacker on the network; see HostileNeighbourTests.
    package static let neighbour = root.appending(path: "EndToEnd/neighbour").path
    /// Acts as a malicious member or former member; see HostileMemberTests.
    package static let member = root.appending(path: "EndToEnd/member").path
    /// Fills an account; see FullAccountTests.
    package static let crowd = root.appending(path: "EndToEnd/crowd").path
    /// A program of the same user that pretends to be an app; see ClaimTests.
    package static let pretender = root.appending(path: "EndToEnd/pretender").path
    /// A file system that never answers.
    static let silent = root.appending(path: "EndToEnd/silent").path
    /// An app that a bus starts; see DesktopEntryTests.
    package static let activated = root.appending(path: "EndToEnd/activated").path
    /// Runs the command after it where the package is installed; see RealBrowserTests.
    static let packaged = [root.appending(path: "EndToEnd/packaged").path, programs.path]
    /// Makes a repository of Flatpaks; see FlatpakTests.
    static let flatpak = root.appending(path: "EndToEnd/flatpak").path
    /// The program in these Flatpaks.
    static let sandboxed = root.appending(path: "EndToEnd/sandboxed").path
    /// Waits for Syncthing; see SyncToolTests.
    package static let settled = root.appending(path: "EndToEnd/settled").path
    package static let monkeyBrowser = root.appending(path: ".build/MonkeyBrowser.app").path
    /// The app with windows.
    package static let monkeyBrowserWindow = root.appending(path: ".build/window/MonkeyBrowser.app").path
    package static let textEditor = root.appending(path: ".build/window/TextEditor.app").path
}
