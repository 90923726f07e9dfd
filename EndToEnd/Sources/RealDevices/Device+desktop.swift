// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Device {
    /// Forgets where other devices were reached. For while the daemon does not run.
    package func forgetAddresses() {
        try? FileManager.default.removeItem(at: root.appending(path: "state/addresses"))
    }

    /// Puts a program in the place of the desktop's opener. Returns the file with what it was asked to open, line by line.
    package func standInForBrowsers() throws -> URL {
        let (programs, opened) = (root.appending(path: "programs"), root.appending(path: "opened"))
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        let opener = programs.appending(path: "gio")
        try Data("#!/bin/sh\necho \"$2\" >> '\(opened.path)'\n".utf8).write(to: opener)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
        environment["PATH"] = "\(programs.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        return opened
    }
}
