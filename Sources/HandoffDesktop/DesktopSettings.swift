// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// The desktop's part of `config.json`.
struct DesktopSettings: Hashable {
    var notifications = NotificationSettings()
    var tray = TrayPreference.automatic

    init() {}

    init(_ file: ConfigurationFile) throws(SettingsError) {
        notifications = try NotificationSettings(file)
        if case .text(let word)? = try file.value(of: .tray, Setting.tray.key),
            let wish = TrayPreference(rawValue: word)
        {
            tray = wish
        }
    }
}

enum TrayPreference: String {
    /// Wherever possible, even if no host shows it yet.
    case on
    case off
    /// On desktops with a tray, unlike plain GNOME. The default.
    case automatic = "auto"
}
