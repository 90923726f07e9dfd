// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension ListedActivity {
    /// Below its title: of which app, and on which device.
    var whereItIs: String {
        let app = title == offer.appName ? [] : [offer.appName.text]
        return (app + [deviceName.text]).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// As GIO writes an icon with another one for themes that do not have it: that of the app, which is named after it, or
    /// of browsers.
    var icon: String {
        switch target {
        case .app(let bundle): ". GThemedIcon \(bundle.name) org.handoff.Handoff"
        case .webPage: ". GThemedIcon web-browser org.handoff.Handoff"
        case .script, .nothing: "org.handoff.Handoff"
        }
    }
}
