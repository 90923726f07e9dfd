// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffClient

/// The pictures in the app's bundle, beside those of the desktop's theme.
@MainActor
enum Icons {
    /// Every picture in the bundle's `Resources`, and in `Resources/hicolor` as themes are laid out, is known by its name
    /// from now on; the one that `CFBundleIconFile` names is that of the windows. Nothing for a program in no bundle.
    static func load() {
        guard let bundle = ThisProcess.current.bundle, let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(
            gtk_icon_theme_get_for_display(display), bundle.path + "/Contents/Resources")
        if let file = bundle.iconFile { gtk_window_set_default_icon_name(name(of: file)) }
    }

    /// Apple's apps may leave the file's extension out.
    static func name(of file: String) -> String {
        for ending in [".svg", ".png"] where file.hasSuffix(ending) { return String(file.dropLast(ending.count)) }
        return file
    }
}
#endif
