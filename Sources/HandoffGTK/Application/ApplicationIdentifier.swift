// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK

enum ApplicationIdentifier {
    /// GLib's rule is D-Bus's: at least two parts, none beginning with a digit. Such a part gets an underscore, as
    /// D-Bus recommends: `com.3d.maker` becomes `com._3d.maker`. Nil if the result is invalid; the app cannot send
    /// notifications.
    static func fitting(_ bundle: String) -> String? {
        let parts = bundle.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.first.map { $0.isASCII && $0.isNumber } ?? false ? "_\(part)" : String(part)
        }
        let identifier = parts.joined(separator: ".")
        return g_application_id_is_valid(identifier) != 0 ? identifier : nil
    }
}
#endif
