// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffSystem
package import HandoffWire

/// Whether there is an icon in the tray: `tray` in `config.json`.
package enum TrayPreference: Hashable, Sendable {
    /// Wherever there is a place for it, whether or not somebody shows it yet: `"on"`.
    case on
    /// `"off"`.
    case off
    /// Where a desktop shows such icons, as GNOME by itself does not: `"auto"`, and where nothing is said.
    case automatic

    private struct Configuration: Decodable {
        let tray: TrayPreference?
    }

    /// What cannot be read is a matter of whoever writes it: nothing is said then.
    package init(in locations: Locations) {
        guard let bytes = FileManager.default.contents(atPath: locations.configurationFile),
            let read = try? JSONDecoder().decode(Configuration.self, from: bytes)
        else {
            self = .automatic
            return
        }
        self = read.tray ?? .automatic
    }
}

extension TrayPreference: Decodable {
    package init(from decoder: any Decoder) throws {
        switch try? decoder.singleValueContainer().decode(String.self) {
        case "on": self = .on
        case "off": self = .off
        default: self = .automatic
        }
    }
}
