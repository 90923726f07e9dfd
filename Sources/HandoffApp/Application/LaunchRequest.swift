// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What the app's desktop entry started it for: URLs (`Exec=reader %u`) and one of its actions
/// (`Exec=reader --shortcut-item=TYPE`).
///
/// Of the arguments only these are looked at; all others are the app's.
struct LaunchRequest: Sendable, Hashable {
    var urls: [URL] = []
    /// The type of a shortcut item that the Info.plist has.
    var shortcutType: String?
    /// Asked for, and not there.
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

/// The one option that every app has.
package enum LaunchArguments {
    private static let shortcutOption = "--shortcut-item="

    /// The first one's.
    package static func shortcutType(in arguments: [String]) -> String? {
        arguments.first { $0.hasPrefix(shortcutOption) }.map { String($0.dropFirst(shortcutOption.count)) }
    }

    package static func withoutShortcut(_ arguments: [String]) -> [String] {
        arguments.filter { !$0.hasPrefix(shortcutOption) }
    }
}
