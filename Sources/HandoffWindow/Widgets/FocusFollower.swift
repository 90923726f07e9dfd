// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// Moves the focus to the newest row until the user moves it: by a key or a click on the page.
@MainActor
final class FocusFollower<ID: Hashable> {
    private var isUsers = false
    private var followed: ID?

    func watch(_ page: GTKWidget) {
        guard let keys = gtk_event_controller_key_new(), let clicks = gtk_gesture_click_new() else { return }
        onGTKSignal("key-pressed", of: keys.raw) { [weak self] _ in self?.isUsers = true }
        onGTKSignal("pressed", of: clicks.raw) { [weak self] _ in self?.isUsers = true }
        for controller in [keys, clicks] {
            gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(page, controller)
        }
    }

    func follow(_ newest: ID, _ row: () -> GTKWidget?) {
        guard !isUsers, newest != followed, let row = row(), gtk_widget_get_mapped(row) != 0 else { return }
        if gtk_widget_grab_focus(row) != 0 { followed = newest }
    }
}
