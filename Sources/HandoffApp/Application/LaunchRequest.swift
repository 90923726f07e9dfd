// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What the app's desktop entry started it for: URLs (`Exec=reader %u`) and one of its actions
/// (`Exec=reader --shortcut-item=TYPE`).
///
/// Of the arguments only these are looked at; all others are the app's.
struct LaunchRequest: Sendable, Hashable {
    static let shortcutOption = "--shortcut-item="

    var urls: [URL] = []
    /// The type of a shortcut item that the Info.plist has.
    var shortcutType: String?
    /// Asked for, and not there.
    var unknownShortcut: String?

    init() {}

    /// `arguments`: without the program's name.
    init(arguments: some Sequence<String>, manifest: ApplicationManifest) {
        for argument in arguments {
            if argument.hasPrefix(Self.shortcutOption) {
                let type = String(argument.dropFirst(Self.shortcutOption.count))
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
