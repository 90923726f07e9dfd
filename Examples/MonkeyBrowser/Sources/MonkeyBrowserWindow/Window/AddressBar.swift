// SPDX-License-Identifier: Apache-2.0

import HandoffGTK

/// The address field and its button.
@MainActor
final class AddressBar {
    /// Called with the typed text when the user opens the address.
    var go: @MainActor (String) -> Void = { _ in }
    let entry: GTKWidget
    let button: GTKWidget

    init() {
        entry = gtk_entry_new()
        button = gtk_button_new_with_label("Go")
        gtk_entry_set_placeholder_text(entry.cast(to: GtkEntry.self), "Web address")
        gtk_entry_set_input_purpose(entry.cast(to: GtkEntry.self), GTK_INPUT_PURPOSE_URL)
        gtk_editable_set_max_width_chars(entry.opaque, 60)
        gtk_widget_set_hexpand(entry, 1)
        gtk_widget_add_css_class(button, "suggested-action")
        describeGTKWidget(entry, as: "Web address")
        describeGTKWidget(button, as: "Go to the address")
        onGTKSignal("activate", of: entry.raw) { [weak self] _ in self?.goThere() }
        onGTKSignal("clicked", of: button.raw) { [weak self] _ in self?.goThere() }
    }

    var text: String {
        get { gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? "" }
        set { gtk_editable_set_text(entry.opaque, newValue) }
    }

    /// Moves the focus here, so that the user can type another address.
    func takeFocus() {
        gtk_widget_grab_focus(entry)
        gtk_editable_select_region(entry.opaque, 0, -1)
    }

    /// From 0 to 1. Complete progress is not shown.
    func show(progress: Double) {
        gtk_entry_set_progress_fraction(entry.cast(to: GtkEntry.self), progress < 1 ? progress : 0)
    }

    private func goThere() { go(text) }
}
