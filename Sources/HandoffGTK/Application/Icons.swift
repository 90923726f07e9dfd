// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffClient

/// The icons in the app's bundle, in addition to the desktop's theme.
@MainActor
enum Icons {
    /// Registers the icons in the bundle's `Resources`, and in `Resources/hicolor` with the layout of a theme, by their
    /// names. The icon of `CFBundleIconFile` becomes the windows' icon. Has no effect without a bundle.
    static func load() {
        guard let bundle = ThisProcess.current.bundle, let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(
            gtk_icon_theme_get_for_display(display), bundle.path + "/Contents/Resources")
        if let file = bundle.iconFile { gtk_window_set_default_icon_name(name(of: file)) }
    }

    /// The extension is optional, as in Apple's apps.
    static func name(of file: String) -> String {
        for ending in [".svg", ".png"] where file.hasSuffix(ending) { return String(file.dropLast(ending.count)) }
        return file
    }
}
#endif
