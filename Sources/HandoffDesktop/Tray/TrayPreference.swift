// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
import HandoffWire

/// `tray` in `config.json`.
enum TrayPreference: Hashable, Sendable {
    /// Register wherever possible, even if no host shows it yet.
    case on
    case off
    /// Only on desktops with a tray, unlike plain GNOME. The default.
    case automatic

    /// Invalid content is ignored here; the program that writes the file reports it.
    init(in locations: Locations) {
        let path = locations.configurationFile
        let bytes = try? UserFile(path: path).read(limit: ConfigurationFile.limit)
        let file = try? ConfigurationFile(bytes ?? nil, path: path)
        switch try? file?.value(of: .tray, Setting.tray.key) {
        case .text("on"): self = .on
        case .text("off"): self = .off
        default: self = .automatic
        }
    }
}
