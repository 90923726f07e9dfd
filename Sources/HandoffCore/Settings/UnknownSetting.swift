// SPDX-License-Identifier: Apache-2.0

/// An unknown key: it may belong to another version, or be a typing error.
package struct UnknownSetting: Hashable, Sendable, CustomStringConvertible {
    package let key: String
    package let meant: String?

    package init(_ key: String) {
        self.key = key
        // The key may be a flag of handoffd, whose spelling differs in the file.
        meant =
            Setting.find(key)?.key
            ?? NearestName.to(
                key, in: Setting.all.flatMap { [$0.shownKey] + ($0.flag.map { [$0] } ?? []) })
    }

    package var description: String {
        "unknown setting \"\(key)\"" + (meant.map { "; did you mean \($0)?" } ?? "")
    }
}
