// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls

/// Escape closes it.
@MainActor
enum PaneDialog {
    /// `closed` is called once, however it is closed.
    static func show(
        _ title: String, _ content: GTKWidget, over parent: GTKWidget, closed: @escaping @MainActor () -> Void
    ) -> GTKWidget {
        let window: GTKWidget = adw_window_new()
        let base = window.cast(to: GtkWindow.self)
        gtk_window_set_title(base, title)
        gtk_window_set_modal(base, 1)
        gtk_window_set_transient_for(base, parent.cast(to: GtkWindow.self))
        gtk_window_set_default_size(base, 360, 560)
        let scroller: GTKWidget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(scroller.opaque, content)
        gtk_widget_set_vexpand(scroller, 1)
        adw_window_set_content(
            window.cast(to: AdwWindow.self),
            makeBox(GTK_ORIENTATION_VERTICAL, [adw_header_bar_new(), scroller]))
        let keys = gtk_shortcut_controller_new()
        let escape = gtk_shortcut_new(
            gtk_shortcut_trigger_parse_string("Escape"), gtk_named_action_new("window.close"))
        gtk_shortcut_controller_add_shortcut(keys, escape)
        gtk_widget_add_controller(window, keys)
        onGTKSignal("close-request", of: window.raw) { _ in closed() }
        gtk_window_present(base)
        return window
    }
}
