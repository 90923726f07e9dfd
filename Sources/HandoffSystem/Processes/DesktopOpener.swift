// SPDX-License-Identifier: Apache-2.0

/// The program that opens a URL with the user's default application.
package enum DesktopOpener {
    private static let programs = [("gio", ["open"]), ("xdg-open", [])]
    /// The search path if `PATH` is not set.
    package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
    package static let noneInstalled = "neither gio nor xdg-open is installed"

    /// The program's path, and the arguments before the URL. `path`: the value of `PATH`.
    package static func installed(path: String?) -> (program: String, arguments: [String])? {
        let finder = ProgramFinder(path: path)
        for (name, arguments) in programs {
            if let program = finder.path(of: name) { return (program, arguments) }
        }
        return nil
    }
}
