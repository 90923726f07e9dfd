// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import CQREncode
internal import HandoffGTKCalls

/// Black on white in any colour scheme, for cameras.
@MainActor
struct CodePicture {
    let widget: GTKWidget

    /// The white border, required by the standard; modules.
    private static let margin = 4
    /// Pixels of a module, and of the picture on the screen.
    private static let scale = 6
    private static let shown: gint = 168

    /// Nil if it cannot be made.
    init?(of code: String, label: String) {
        guard let made = QRcode_encodeString(code, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(made) }
        let width = Int(made.pointee.width)
        guard width > 0, let modules = made.pointee.data else { return nil }
        let side = (width + 2 * Self.margin) * Self.scale
        var pixels = [UInt8](repeating: 0xFF, count: side * side * 3)
        for y in 0..<width * Self.scale {
            for x in 0..<width * Self.scale where modules[y / Self.scale * width + x / Self.scale] & 1 == 1 {
                let start = ((y + Self.margin * Self.scale) * side + x + Self.margin * Self.scale) * 3
                for channel in 0..<3 { pixels[start + channel] = 0 }
            }
        }
        let bytes = g_bytes_new(pixels, gsize(pixels.count))
        defer { g_bytes_unref(bytes) }
        guard
            let texture = gdk_memory_texture_new(
                gint(side), gint(side), GDK_MEMORY_R8G8B8, bytes, gsize(side * 3))
        else { return nil }
        defer { g_object_unref(texture.raw) }
        widget = gtk_picture_new_for_paintable(texture)
        gtk_picture_set_alternative_text(widget.opaque, label)
        gtk_widget_set_size_request(widget, Self.shown, Self.shown)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        describeGTKWidget(widget, as: label)
    }
}
