// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK

/// Converts a bundle's identifier to an identifier for a `GApplication`, by which the desktop knows the app.
enum ApplicationIdentifier {
    /// GLib's rule is that of D-Bus: at least two parts, none of which begins with a digit. A part of a bundle
    /// identifier that begins with a digit gets an underscore, as D-Bus recommends: `com.3d.maker` becomes
    /// `com._3d.maker`. Nil if no valid identifier results; the app then has none and cannot send notifications.
    static func fitting(_ bundle: String) -> String? {
        let parts = bundle.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.first.map { $0.isASCII && $0.isNumber } ?? false ? "_\(part)" : String(part)
        }
        let identifier = parts.joined(separator: ".")
        return g_application_id_is_valid(identifier) != 0 ? identifier : nil
    }
}
#endif
