// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension ListedActivity {
    /// App and device.
    var whereItIs: String {
        let app = title == offer.appName ? [] : [offer.appName.text]
        return (app + [deviceName.text]).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// In GIO's notation, with a fallback for themes without the icon.
    var icon: String {
        switch target {
        case .app(let bundle): ". GThemedIcon \(bundle.name) org.handoff.Handoff"
        case .webPage: ". GThemedIcon web-browser org.handoff.Handoff"
        case .script, .nothing: "org.handoff.Handoff"
        }
    }
}
