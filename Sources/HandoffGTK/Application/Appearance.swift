// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc

extension GTKApplication {
    /// The app's appearance.
    public enum Appearance: Sendable, Hashable, CaseIterable {
        /// GTK's theme, light or dark according to the user's choice for the desktop.
        case desktop
        /// The appearance of GNOME's apps, through libadwaita if it is installed; otherwise the same as ``desktop``.
        case adwaita
    }
}

extension GTKApplication.Appearance {
    /// Called after GTK was initialized. An app that links libadwaita, for its widgets, uses it with every choice.
    @MainActor
    func apply() {
        guard !Adwaita.begin(mayLoad: self == .adwaita) else { return }
        ColorScheme.follow()
    }
}

/// GNOME's style library, loaded at run time: a program built with it also runs on machines without it, and the build
/// does not need its headers.
@MainActor
enum Adwaita {
    private static let library = "libadwaita-1.so.0"
    private static let entry = "adw_init"

    /// True if libadwaita controls the appearance. It is never unloaded, because it has registered types.
    static func begin(mayLoad: Bool) -> Bool {
        guard let begin = address(in: nil) ?? (mayLoad ? dlopen(library, RTLD_NOW).flatMap(address) : nil) else {
            return false
        }
        unsafeBitCast(begin, to: (@convention(c) () -> Void).self)()
        return true
    }

    /// `nil`: searches the libraries that the program links.
    private static func address(in library: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        dlsym(library, entry)
    }
}
#endif
