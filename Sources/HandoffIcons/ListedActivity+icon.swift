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

    /// Icon name. Nil if the kind is unknown.
    package var emblem: String? { deviceKind == .unspecified ? nil : "\(Self.handoffIcon).\(deviceKind)-emblem" }

    /// Nil if the kind of the device is unknown.
    package func drawing(size: Int, ofApp: (BundleID) -> AppIcon?) -> IconDrawing? {
        guard let emblem else { return nil }
        if case .app(let bundle) = target, let icon = ofApp(bundle) {
            return IconDrawing(icon.source, emblem: emblem, size: size)
        }
        return IconDrawing(.name(icon { _ in nil }), emblem: emblem, size: size)
    }

    package func picture(ofApp: (BundleID) -> AppPicture?) -> AppPicture {
        if case .app(let bundle) = target, let picture = ofApp(bundle) { return picture }
        return .name(icon { _ in nil })
    }
}
