// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings

@MainActor
struct Question {
    var heading: String
    var body = ""
    var cancel: String
    var deed: String
    var isDestructive = false
    var child: GTKWidget?

    /// As destructive as the first action.
    var other: Other?

    struct Other {
        let deed: String
        let agreed: @MainActor () -> Void
    }

    func ask(over window: GTKWidget, _ agreed: @escaping @MainActor () -> Void) {
        let dialog: GTKWidget = adw_message_dialog_new(window.cast(to: GtkWindow.self), heading, body)
        gtk_window_set_title(dialog.cast(to: GtkWindow.self), heading)
        let message = dialog.cast(to: AdwMessageDialog.self)
        adw_message_dialog_add_response(message, "cancel", cancel)
        adw_message_dialog_add_response(message, "deed", deed)
        adw_message_dialog_set_response_appearance(
            message, "deed", isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
        if let other {
            adw_message_dialog_add_response(message, "other", other.deed)
            adw_message_dialog_set_response_appearance(
                message, "other", isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
        }
        // Return only does what can be undone.
        adw_message_dialog_set_default_response(message, isDestructive ? "cancel" : "deed")
        adw_message_dialog_set_close_response(message, "cancel")
        if let child { adw_message_dialog_set_extra_child(message, child) }
        onGTKSignal("response", of: dialog.raw) { values in
            switch values.text(0) {
            case "deed": agreed()
            case "other": other?.agreed()
            default: break
            }
        }
        gtk_window_present(dialog.cast(to: GtkWindow.self))
    }
}
