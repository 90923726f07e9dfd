// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK

/// The identifier of a bundle as GLib takes one for a `GApplication`, by which the desktop knows the app.
enum ApplicationIdentifier {
    /// GLib's rule is D-Bus's: at least two parts, none of which begins with a digit. Bundles have no such rule, so a part
    /// that begins with one gets an underscore, as the rules of D-Bus names advise: `com.3d.maker` is `com._3d.maker`.
    /// Nil where nothing fits; the app is nameless then and has no notifications.
    static func fitting(_ bundle: String) -> String? {
        let parts = bundle.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.first.map { $0.isASCII && $0.isNumber } ?? false ? "_\(part)" : String(part)
        }
        let identifier = parts.joined(separator: ".")
        return g_application_id_is_valid(identifier) != 0 ? identifier : nil
    }
}
#endif
