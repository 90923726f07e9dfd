// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

extension ListedActivity {
    /// Below its title: of which app, and on which device.
    var whereItIs: String {
        let app = title == offer.appName ? [] : [offer.appName.text]
        return (app + [deviceName.text]).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The icon of what would continue it, as a theme may have it: that of an app is named after it.
    var themedIcon: String {
        switch target {
        case .app(let bundle): bundle.name
        case .webPage: "web-browser"
        case .script, .nothing: ""
        }
    }
}
