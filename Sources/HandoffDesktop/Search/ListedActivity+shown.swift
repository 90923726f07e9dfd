// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension ListedActivity {
    /// The line below the title: app and device.
    var whereItIs: String {
        let app = title == offer.appName ? [] : [offer.appName.text]
        return (app + [deviceName.text]).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// An icon with a fallback in GIO's notation, for themes without it: the app's icon, which has the app's name, or
    /// that of browsers.
    var icon: String {
        switch target {
        case .app(let bundle): ". GThemedIcon \(bundle.name) org.handoff.Handoff"
        case .webPage: ". GThemedIcon web-browser org.handoff.Handoff"
        case .script, .nothing: "org.handoff.Handoff"
        }
    }
}
