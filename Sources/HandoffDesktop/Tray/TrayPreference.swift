// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// Whether there is an icon in the tray: `tray` in `config.json`.
package enum TrayPreference: Hashable, Sendable {
    /// Wherever there is a place for it, whether or not somebody shows it yet.
    case on
    case off
    /// Where a desktop shows such icons, as GNOME by itself does not; and where nothing is said.
    case automatic

    /// What cannot be read is a matter of whoever writes it: nothing is said then.
    package init(in locations: Locations) {
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
