// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// Styles that libadwaita's classes lack.
@MainActor
enum Style {
    private static let sheet = """
        .handoff-emblem { background: @window_bg_color; color: @window_fg_color; border-radius: 6px; padding: 2px; }
        .handoff-arrivals { padding: 4px 16px; box-shadow: 0 1px 4px alpha(black, 0.3); }
        """

    static func add() {
        guard let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }
}
