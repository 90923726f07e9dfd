// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffIcons
internal import HandoffWire

/// As the user's theme has them, otherwise the app's own file.
struct RowIcons: Sendable {
    private let files = AppIconFiles()
    private let drawer: IconDrawer

    init(drawer: IconDrawer) { self.drawer = drawer }

    /// Blocks. `data:` URLs, for apps with a suitable icon.
    func read(_ paths: [BundleID: String]) -> [BundleID: String] {
        let icons = paths.compactMapValues { files.icon(at: $0) }
        let drawings = paths.keys.reduce(into: [BundleID: IconDrawing]()) { drawings, app in
            let source = icons[app]?.source ?? .name(app.name)
            drawings[app] = IconDrawing(source, emblem: nil, size: BrowserLimits.iconSize)
        }
        let drawn = drawer.draw(Array(Set(drawings.values))) ?? [:]
        return drawings.reduce(into: [:]) { urls, each in
            let picture = drawn[each.value].flatMap { $0 }.map { AppPicture.bytes($0.png) }
            urls[each.key] = Self.url(picture ?? icons[each.key]?.picture)
        }
    }

    /// Nil if a browser should not get the picture.
    static func url(_ picture: AppPicture?) -> String? {
        guard case .bytes(let bytes)? = picture, bytes.count <= BrowserLimits.iconBytes else { return nil }
        let type: String
        switch PictureFormat(bytes) {
        case .png: type = "png"
        case .svg: type = "svg+xml"
        case nil: return nil
        }
        return "data:image/\(type);base64,\(Data(bytes).base64EncodedString())"
    }
}
