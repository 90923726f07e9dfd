// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ListedActivity {
    package static let handoffIcon = "org.handoff.Handoff"

    /// A `file:` URL or an icon name. `ofApp`: nil if the app has none.
    package func icon(ofApp: (BundleID) -> String?) -> String {
        switch target {
        case .app(let bundle): ofApp(bundle) ?? bundle.name
        case .webPage: "web-browser"
        case .script, .nothing: Self.handoffIcon
        }
    }

    package func picture(ofApp: (BundleID) -> AppPicture?) -> AppPicture {
        if case .app(let bundle) = target, let picture = ofApp(bundle) { return picture }
        return .name(icon { _ in nil })
    }
}
