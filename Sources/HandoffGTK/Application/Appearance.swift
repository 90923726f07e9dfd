// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc

extension GTKApplication {
    /// How the app looks.
    public enum Appearance: Sendable, Hashable, CaseIterable {
        /// As GTK's theme has it, light or dark as the user has chosen for the desktop.
        case desktop
        /// As GNOME's apps look, by libadwaita, on a machine that has it; else as ``desktop``.
        case adwaita
    }
}

extension GTKApplication.Appearance {
    /// After GTK has begun. An app that is linked with libadwaita, for its widgets, has it whatever was chosen.
    @MainActor
    func apply() {
        guard !Adwaita.begin(mayLoad: self == .adwaita) else { return }
        ColorScheme.follow()
    }
}

/// GNOME's library of style, found while the program runs: what is built on a machine with it runs on one without, and the
/// build needs none of its headers.
@MainActor
enum Adwaita {
    private static let library = "libadwaita-1.so.0"
    private static let entry = "adw_init"

    /// True if it has taken the appearance over. It is never unloaded: it has registered types.
    static func begin(mayLoad: Bool) -> Bool {
        guard let begin = address(in: nil) ?? (mayLoad ? dlopen(library, RTLD_NOW).flatMap(address) : nil) else {
            return false
        }
        unsafeBitCast(begin, to: (@convention(c) () -> Void).self)()
        return true
    }

    /// `nil`: of what the program is linked with.
    private static func address(in library: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        dlsym(library, entry)
    }
}
#endif
