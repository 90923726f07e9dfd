// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// xdg-activation on Wayland, startup notification on X11. Valid because the user has just clicked here.
@MainActor
enum ActivationTokens {
    static func make(over window: GTKWidget) -> String? {
        guard let display = gtk_widget_get_display(window), let context = gdk_display_get_app_launch_context(display)
        else { return nil }
        defer { g_object_unref(context.raw) }
        // X11's announcement requires a name; the app is still unknown.
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
