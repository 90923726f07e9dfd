// SPDX-License-Identifier: Apache-2.0

/// The program that hands a URL to whatever the user's desktop has for it.
package enum DesktopOpener {
    /// The first that is installed is used.
    private static let programs = [("gio", ["open"]), ("xdg-open", [])]
    /// Where programs are sought that no `PATH` says.
    package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
    /// Why nothing can be opened.
    package static let noneInstalled = "neither gio nor xdg-open is installed"

    /// The program's path, and what comes before the URL. Nil if there is none. `path`: as `PATH` has it.
    package static func installed(path: String?) -> (program: String, arguments: [String])? {
        let finder = ProgramFinder(path: path)
        for (name, arguments) in programs {
            if let program = finder.path(of: name) { return (program, arguments) }
        }
        return nil
    }
}
