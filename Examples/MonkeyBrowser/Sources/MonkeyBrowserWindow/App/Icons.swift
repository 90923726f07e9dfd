// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK
import Foundation

/// The pictures in the app's bundle, beside those of the desktop's theme.
@MainActor
enum Icons {
    /// As in the bundle's Info.plist.
    static let app = "MonkeyBrowser"

    static func load() {
        guard let resources, let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), resources)
        gtk_window_set_default_icon_name(app)
    }

    /// The executable is in `Contents/Linux`. Nil for one that is in no bundle.
    private static var resources: String? {
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let contents = URL(filePath: executable).deletingLastPathComponent().deletingLastPathComponent()
        let folder = contents.appending(path: "Resources").path
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }
}
