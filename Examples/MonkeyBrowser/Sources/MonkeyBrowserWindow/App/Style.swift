// SPDX-License-Identifier: Apache-2.0

import HandoffGTK

/// Style differences from the desktop's widgets. Colours are those of its theme.
@MainActor
enum Style {
    private static let sheet = """
        .tabs { padding: 6px; border-bottom: 1px solid @borders; }
        .tabs > button { padding: 6px 12px; }
        .busy { background-color: rgba(0, 0, 0, 0.5); }
        .busy > box { background-color: rgba(0, 0, 0, 0.75); border-radius: 18px; padding: 32px 56px;
            color: white; font-size: 1.4em; font-weight: bold; }
        .empty { padding: 24px; }
        .empty > image { opacity: 0.35; }
        .empty > label { opacity: 0.8; }
        .empty > .title-1 { font-size: 1.8em; font-weight: bold; }
        """

    static func load() {
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), provider.map { OpaquePointer($0) },
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
}
