// SPDX-License-Identifier: Apache-2.0

import HandoffGTK

/// The content of a tab without a page.
@MainActor
final class EmptyPage {
    let widget: GTKWidget
    private let image: OpaquePointer
    private let title: OpaquePointer
    private let detail: OpaquePointer

    init() {
        let box: GTKWidget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        let (image, title, detail): (GTKWidget, GTKWidget, GTKWidget) = (
            gtk_image_new(), gtk_label_new(""), gtk_label_new("")
        )
        gtk_image_set_pixel_size(image.opaque, 96)
        gtk_widget_add_css_class(title, "title-1")
        for label in [title, detail] {
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
            gtk_label_set_max_width_chars(label.opaque, 60)
        }
        for child in [image, title, detail] { gtk_box_append(box.cast(to: GtkBox.self), child) }
        gtk_widget_add_css_class(box, "empty")
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
        widget = box
        self.image = image.opaque
        self.title = title.opaque
        self.detail = detail.opaque
    }

    func show(icon: String, title: String, detail: String) {
        gtk_image_set_from_icon_name(image, icon)
        gtk_label_set_text(self.title, title)
        gtk_label_set_text(self.detail, detail)
    }
}
