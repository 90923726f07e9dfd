// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The URLs (`Exec=reader %u`) and the action (`Exec=reader --shortcut-item=TYPE`) of the desktop entry. Ignores other
/// arguments.
struct LaunchRequest: Sendable, Hashable {
    var urls: [URL] = []
    /// In the Info.plist.
    var shortcutType: String?
    /// Not in the Info.plist.
    var unknownShortcut: String?

    init() {}

    /// `arguments`: without the program's name.
    init(arguments: some Sequence<String>, manifest: ApplicationManifest) {
        for argument in arguments {
            if let type = LaunchArguments.shortcutType(in: [argument]) {
                if manifest.shortcuts.contains(where: { $0.type == type }) {
                    shortcutType = type
                } else {
                    unknownShortcut = type
                }
            } else if let url = URL(string: argument), let scheme = url.scheme,
                manifest.schemes.contains(scheme.lowercased())
            {
                urls.append(url)
            }
        }
    }
}

package enum LaunchArguments {
    private static let shortcutOption = "--shortcut-item="

    package static func shortcutType(in arguments: [String]) -> String? {
        arguments.first { $0.hasPrefix(shortcutOption) }.map { String($0.dropFirst(shortcutOption.count)) }
    }

    package static func withoutShortcut(_ arguments: [String]) -> [String] {
        arguments.filter { !$0.hasPrefix(shortcutOption) }
    }
}
