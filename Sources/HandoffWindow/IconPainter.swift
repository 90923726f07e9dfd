// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls
internal import HandoffIcons
internal import HandoffSystem
internal import HandoffWindowModel

/// Draws icons of the user's theme without a window. GTK's other renderers would load a graphics driver.
@MainActor
final class IconPainter {
    /// The lower right quarter of the icon, as GNOME Shell draws it.
    private static let emblemShare = 0.5
    /// In a small icon, which makes room for it.
    private static let smallShares = (icon: 0.8125, emblem: 0.6875)

    private let theme: OpaquePointer
    private let renderer: OpaquePointer

    /// Nil without a display.
    init?() {
        guard let display = gdk_display_get_default(), let theme = gtk_icon_theme_get_for_display(display),
            let renderer = gsk_cairo_renderer_new(), gsk_renderer_realize(renderer, nil, nil) != 0
        else { return nil }
        self.theme = theme
        self.renderer = renderer
    }

    isolated deinit {
        gsk_renderer_unrealize(renderer)
        g_object_unref(renderer.raw)
    }

    /// Nil if the theme or the file has no such picture.
    func paint(_ drawing: IconDrawing) -> DrawnIcon? {
        guard let icon = picture(drawing) else { return nil }
        defer { g_object_unref(icon.raw) }
        let size = Double(drawing.size)
        let isSmall = drawing.emblem != nil && drawing.size <= IconDrawing.smallSize
        let emblemSize = (size * (isSmall ? Self.smallShares.emblem : Self.emblemShare)).rounded()
        let emblem = drawing.emblem.flatMap { themed([$0], Int(emblemSize)) }
        defer { if let emblem { g_object_unref(emblem.raw) } }
        guard drawing.emblem == nil || emblem != nil, let snapshot = gtk_snapshot_new() else { return nil }
        add(icon, to: snapshot, at: 0, isSmall ? (size * Self.smallShares.icon).rounded() : size)
        if let emblem { add(emblem, to: snapshot, at: size - emblemSize, emblemSize) }
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        return rendered(node, drawing.size)
    }

    // MARK: Pictures

    private func picture(_ drawing: IconDrawing) -> OpaquePointer? {
        switch drawing.source {
        case .name(let name): themed([name, Icon.handoffInColour.rawValue], drawing.size)
        case .file(let path, _): file(path, drawing.size)
        }
    }

    /// The first that the theme has.
    private func themed(_ names: [String], _ size: Int) -> OpaquePointer? {
        guard let name = names.first(where: { gtk_icon_theme_has_icon(theme, $0) != 0 }) else { return nil }
        return gtk_icon_theme_lookup_icon(
            theme, name, nil, gint(size), 1, GTK_TEXT_DIR_NONE, GtkIconLookupFlags(rawValue: 0))
    }

    /// Rejects formats that apps do not use for icons.
    private func file(_ path: String, _ size: Int) -> OpaquePointer? {
        guard let bytes = try? UserFile(path: path).read(limit: AppIconFiles.pictureBytes),
            PictureFormat(bytes) != nil
        else { return nil }
        let copy = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(copy) }
        guard let stream = g_memory_input_stream_new_from_bytes(copy) else { return nil }
        defer { g_object_unref(stream.raw) }
        guard let pixels = gdk_pixbuf_new_from_stream_at_scale(stream, gint(size), gint(size), 1, nil, nil) else {
            return nil
        }
        defer { g_object_unref(pixels.raw) }
        return gdk_texture_new_for_pixbuf(pixels)
    }

    // MARK: Drawing

    /// In the middle of a square.
    private func add(_ picture: OpaquePointer, to snapshot: OpaquePointer, at corner: Double, _ side: Double) {
        let (width, height) = fitting(picture, side)
        gtk_snapshot_save(snapshot)
        var start = graphene_point_t(
            x: Float(corner + (side - width) / 2), y: Float(corner + (side - height) / 2))
        gtk_snapshot_translate(snapshot, &start)
        gdk_paintable_snapshot(picture, snapshot, width, height)
        gtk_snapshot_restore(snapshot)
    }

    private func fitting(_ picture: OpaquePointer, _ side: Double) -> (width: Double, height: Double) {
        let ratio = gdk_paintable_get_intrinsic_aspect_ratio(picture)
        guard ratio > 0 else { return (side, side) }
        return ratio > 1 ? (side, side / ratio) : (side * ratio, side)
    }

    private func rendered(_ node: OpaquePointer, _ size: Int) -> DrawnIcon? {
        var area = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(size), height: Float(size)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        defer { g_object_unref(texture.raw) }
        var pixels = [UInt8](repeating: 0, count: 4 * size * size)
        gdk_texture_download(texture, &pixels, gsize(4 * size))
        guard let png = gdk_texture_save_to_png_bytes(texture) else { return nil }
        defer { g_bytes_unref(png) }
        var count: gsize = 0
        let start = g_bytes_get_data(png, &count)
        let picture = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
        return DrawnIcon(size: size, pixels: Self.plain(pixels), png: picture)
    }

    /// From cairo's form, which is premultiplied and has a number for each pixel.
    private static func plain(_ pixels: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(pixels.count)
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let number = pixels[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            let alpha = number >> 24
            for shift in [16, 8, 0] as [UInt32] {
                let part = number >> shift & 255
                plain.append(alpha == 0 ? 0 : UInt8(min(255, (part * 255 + alpha / 2) / alpha)))
            }
            plain.append(UInt8(alpha))
        }
        return plain
    }
}
