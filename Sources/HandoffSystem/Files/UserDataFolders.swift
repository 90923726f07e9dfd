// SPDX-License-Identifier: Apache-2.0

/// The XDG Base Directory Specification ignores relative paths. In order of precedence.
package struct UserDataFolders {
    package let settings: [String]
    /// Nil: the environment names no home folder.
    package let own: String?
    package let system: [String]

    package init(_ environment: [String: String]) {
        func own(_ variable: String, or fallback: String) -> String? {
            let folder = { environment[$0].flatMap { $0.hasPrefix("/") ? $0 : nil } }
            return folder(variable) ?? folder("HOME").map { $0 + fallback }
        }
        func shared(_ variable: String, or fallback: String) -> [String] {
            let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        settings =
            [own("XDG_CONFIG_HOME", or: "/.config")].compactMap(\.self) + shared("XDG_CONFIG_DIRS", or: "/etc/xdg")
        self.own = own("XDG_DATA_HOME", or: "/.local/share")
        system = shared("XDG_DATA_DIRS", or: "/usr/local/share:/usr/share")
    }

    /// Each once.
    package var data: [String] {
        ([own].compactMap(\.self) + system).reduce(into: []) { folders, folder in
            if !folders.contains(where: folder.isSamePath) { folders.append(folder) }
        }
    }
}
