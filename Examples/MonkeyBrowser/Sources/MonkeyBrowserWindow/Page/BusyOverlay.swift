// SPDX-License-Identifier: Apache-2.0

import HandoffGTK

/// A dark overlay on the page with a progress text. It fades in and out within a second.
@MainActor
final class BusyOverlay {
    let widget: GTKWidget
    private let label: OpaquePointer
    private let spinner: OpaquePointer

    private static let fade: guint = 1000

    init() {
        let box: GTKWidget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18)
        let spinner: GTKWidget = gtk_spinner_new()
        let label: GTKWidget = gtk_label_new("")
        gtk_widget_set_size_request(spinner, 48, 48)
        for child in [spinner, label] { gtk_box_append(box.cast(to: GtkBox.self), child) }
        gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        gtk_widget_set_vexpand(box, 1)
        let shade: GTKWidget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_box_append(shade.cast(to: GtkBox.self), box)
        gtk_widget_add_css_class(shade, "busy")

        let revealer: GTKWidget = gtk_revealer_new()
        gtk_revealer_set_transition_type(revealer.opaque, GTK_REVEALER_TRANSITION_TYPE_CROSSFADE)
        gtk_revealer_set_transition_duration(revealer.opaque, Self.fade)
        gtk_revealer_set_child(revealer.opaque, shade)
        gtk_widget_set_can_target(revealer, 0)
        widget = revealer
        self.label = label.opaque
        self.spinner = spinner.opaque
    }

    /// Nil hides the overlay.
    func show(_ text: String?) {
        if let text {
            gtk_label_set_text(label, text)
            gtk_spinner_start(spinner)
        } else {
            gtk_spinner_stop(spinner)
        }
        gtk_revealer_set_reveal_child(widget.opaque, text == nil ? 0 : 1)
        // The page below must not be used while the next page is arriving.
        gtk_widget_set_can_target(widget, text == nil ? 0 : 1)
    }
}
