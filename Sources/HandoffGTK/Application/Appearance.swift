// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc

extension GTKApplication {
    /// The app's appearance.
    public enum Appearance: Sendable, Hashable, CaseIterable {
        /// GTK's theme, light or dark as the user chose for the desktop.
        case desktop
        /// GNOME's, through libadwaita if it is installed; otherwise the same as ``desktop``.
        case adwaita
    }
}

extension GTKApplication.Appearance {
    /// Needs an initialized GTK. An app that links libadwaita always uses it.
    @MainActor
    func apply() {
        guard !Adwaita.begin(mayLoad: self == .adwaita) else { return }
        ColorScheme.follow()
    }
}

/// GNOME's style library, loaded at run time because it is optional.
@MainActor
enum Adwaita {
    private static let library = "libadwaita-1.so.0"
    private static let entry = "adw_init"

    /// True if libadwaita controls the appearance. Never unloaded: it registers types.
    static func begin(mayLoad: Bool) -> Bool {
        guard let begin = address(in: nil) ?? (mayLoad ? dlopen(library, RTLD_NOW).flatMap(address) : nil) else {
            return false
        }
        unsafeBitCast(begin, to: (@convention(c) () -> Void).self)()
        return true
    }

    /// Nil: the program's linked libraries.
    private static func address(in library: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        dlsym(library, entry)
    }
}
#endif
