// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffClient

@MainActor
enum Icons {
    /// Registers the bundle's icons: `Resources`, and `Resources/hicolor` with a theme's layout. `CFBundleIconFile` is
    /// the windows' icon.
    static func load() {
        guard let bundle = ThisProcess.current.bundle, let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(
            gtk_icon_theme_get_for_display(display), bundle.path + "/Contents/Resources")
        if let file = bundle.iconFile { gtk_window_set_default_icon_name(name(of: file)) }
    }

    /// As in Apple's apps, the extension is optional.
    static func name(of file: String) -> String {
        for ending in [".svg", ".png"] where file.hasSuffix(ending) { return String(file.dropLast(ending.count)) }
        return file
    }
}
#endif
