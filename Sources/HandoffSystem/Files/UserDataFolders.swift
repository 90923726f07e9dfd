// SPDX-License-Identifier: Apache-2.0

/// The folders of the XDG Base Directory Specification, the user's first. It ignores relative paths.
package struct UserDataFolders {
    package let settings: [String]
    package let data: [String]

    package init(_ environment: [String: String]) {
        func folders(_ variable: String, or fallback: String) -> [String] {
            let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"] ?? "/"
        settings = folders("XDG_CONFIG_HOME", or: home + "/.config") + folders("XDG_CONFIG_DIRS", or: "/etc/xdg")
        data =
            folders("XDG_DATA_HOME", or: home + "/.local/share")
            + folders("XDG_DATA_DIRS", or: "/usr/local/share:/usr/share")
    }
}
