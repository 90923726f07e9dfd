// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK

/// Slides in above the page to say what went wrong, until the user has read it.
@MainActor
final class NoticeBar {
    let widget: Widget
    private let label: OpaquePointer

    init() {
        let (revealer, box): (Widget, Widget) = (gtk_revealer_new(), gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12))
        let (label, close): (Widget, Widget) = (
            gtk_label_new(""), gtk_button_new_from_icon_name("window-close-symbolic")
        )
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_xalign(label.opaque, 0)
        gtk_widget_set_hexpand(label, 1)
        gtk_widget_add_css_class(close, "flat")
        gtk_widget_add_css_class(box, "notice")
        describe(close, as: "Close the message")
        for child in [label, close] { gtk_box_append(box.cast(to: GtkBox.self), child) }
        gtk_revealer_set_child(revealer.opaque, box)
        widget = revealer
        self.label = label.opaque
        onSignal("clicked", of: close.raw) { [weak self] _ in self?.show(nil) }
    }

    /// Nil: away with it.
    func show(_ text: String?) {
        if let text { gtk_label_set_text(label, text) }
        gtk_revealer_set_reveal_child(widget.opaque, text == nil ? 0 : 1)
    }
}
