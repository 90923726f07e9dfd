// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls
internal import HandoffIcons
internal import HandoffWindowModel

@MainActor
final class PictureWithEmblem {
    let widget: GTKWidget = gtk_overlay_new()
    private let image: GTKWidget = gtk_image_new()
    private let corner: GTKWidget = gtk_image_new()
    private var picture: AppPicture?

    /// Pixels. The emblem extends beyond the picture by `overhang`.
    private static let size: gint = 32
    private static let emblemSize: gint = 14
    private static let overhang: gint = 5

    init() {
        gtk_image_set_pixel_size(image.opaque, Self.size)
        gtk_widget_set_margin_end(image, Self.overhang)
        gtk_widget_set_margin_bottom(image, Self.overhang)
        gtk_widget_set_margin_top(image, Self.overhang)
        gtk_image_set_pixel_size(corner.opaque, Self.emblemSize)
        gtk_widget_set_halign(corner, GTK_ALIGN_END)
        gtk_widget_set_valign(corner, GTK_ALIGN_END)
        gtk_widget_add_css_class(corner, "handoff-emblem")
        gtk_overlay_set_child(widget.opaque, image)
        gtk_overlay_add_overlay(widget.opaque, corner)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    }

    /// `fallbacks`: icon names if the theme lacks the picture's.
    func show(
        _ picture: AppPicture, emblem: Icon? = nil, fallbacks: [String] = [Icon.handoffInColour.rawValue]
    ) {
        gtk_widget_set_visible(corner, emblem == nil ? 0 : 1)
        if let emblem { gtk_image_set_from_icon_name(corner.opaque, emblem.rawValue) }
        guard picture != self.picture else { return }
        self.picture = picture
        guard let icon = icon(picture, fallbacks) else { return }
        gtk_image_set_from_gicon(image.opaque, icon)
        g_object_unref(icon.raw)
    }

    private func icon(_ picture: AppPicture, _ fallbacks: [String]) -> OpaquePointer? {
        switch picture {
        case .name(let name):
            // Not as a second name of the icon: GTK prefers one of the theme to one of the theme's parents.
            let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(image))
            let found = ([name] + fallbacks).first { gtk_icon_theme_has_icon(theme, $0) != 0 }
            return g_themed_icon_new(found ?? Icon.handoffInColour.rawValue)
        case .bytes(let bytes):
            let copy = g_bytes_new(bytes, gsize(bytes.count))
            defer { g_bytes_unref(copy) }
            return g_bytes_icon_new(copy)
        }
    }
}
