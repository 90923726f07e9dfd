// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// Asks the desktop for a token by which what is started next may come to the front: of xdg-activation on Wayland, of
/// startup notification on X11. It counts because its user has just pressed something here.
@MainActor
enum ActivationTokens {
    /// Nil where the desktop gives none.
    static func make(over window: GTKWidget) -> String? {
        guard let display = gtk_widget_get_display(window), let context = gdk_display_get_app_launch_context(display)
        else { return nil }
        defer { g_object_unref(context.raw) }
        // Which app it will be, only the daemon knows. X11's announcement wants a name all the same.
        guard
            let app = g_app_info_create_from_commandline(
                "handoff", "Handoff", G_APP_INFO_CREATE_SUPPORTS_STARTUP_NOTIFICATION, nil)
        else { return nil }
        defer { g_object_unref(app.raw) }
        guard
            let made = g_app_launch_context_get_startup_notify_id(
                UnsafeMutablePointer<GAppLaunchContext>(context), app, nil)
        else { return nil }
        defer { g_free(made) }
        return String(cString: made)
    }
}
