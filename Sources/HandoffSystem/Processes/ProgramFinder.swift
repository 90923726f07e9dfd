// SPDX-License-Identifier: Apache-2.0

import Glibc

package struct ProgramFinder: Sendable {
    private let folders: [String]

    package init(environment: [String: String]) { self.init(path: environment["PATH"]) }

    package init(path: String?) {
        folders = (path ?? DesktopOpener.defaultPath).split(separator: ":").filter { $0.hasPrefix("/") }.map(
            String.init)
    }

    /// With `~/.local/bin`, which login scripts add, but not on every desktop.
    static func commandLinePath(in environment: [String: String]) -> String {
        let path = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? DesktopOpener.defaultPath
        guard let home = environment["HOME"], home.hasPrefix("/") else { return path }
        let personal = (home == "/" ? "" : home) + "/.local/bin"
        return path.split(separator: ":").contains { $0 == personal } ? path : path + ":" + personal
    }

    /// `name`: absolute, or without a slash.
    package func path(of name: String) -> String? {
        if name.hasPrefix("/") { return Self.isProgram(name) ? name : nil }
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return folders.lazy.map { $0 + "/" + name }.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.kind == S_IFREG && access(path, X_OK) == 0
    }
}

package enum DesktopOpener {
    private static let programs = [("gio", ["open"]), ("xdg-open", [])]
    package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
    package static let noneInstalled = "neither gio nor xdg-open is installed"

    /// `arguments` precede the URL.
    package static func installed(path: String?) -> (program: String, arguments: [String])? {
        let finder = ProgramFinder(path: path)
        for (name, arguments) in programs {
            if let program = finder.path(of: name) { return (program, arguments) }
        }
        return nil
    }
}
