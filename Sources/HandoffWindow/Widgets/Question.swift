// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffWords

/// A question over a window: to be answered with one deed, or not at all.
@MainActor
struct Question {
    var heading: String
    var body = ""
    var cancel: String
    var deed: String
    var isDestructive = false
    /// Below the words.
    var child: Widget?

    func ask(over window: Widget, _ agreed: @escaping @MainActor () -> Void) {
        let dialog: Widget = adw_message_dialog_new(window.cast(to: GtkWindow.self), heading, body)
        gtk_window_set_title(dialog.cast(to: GtkWindow.self), heading)
        let message = dialog.cast(to: AdwMessageDialog.self)
        adw_message_dialog_add_response(message, "cancel", cancel)
        adw_message_dialog_add_response(message, "deed", deed)
        adw_message_dialog_set_response_appearance(
            message, "deed", isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
        // Return does what can be undone, and nothing else.
        adw_message_dialog_set_default_response(message, isDestructive ? "cancel" : "deed")
        adw_message_dialog_set_close_response(message, "cancel")
        if let child { adw_message_dialog_set_extra_child(message, child) }
        onSignal("response", of: dialog.raw) { values in
            if values.text(0) == "deed" { agreed() }
        }
        gtk_window_present(dialog.cast(to: GtkWindow.self))
    }
}
