// SPDX-License-Identifier: Apache-2.0

/// A key that is no setting: another version may know it, or somebody has mistyped it.
package struct UnknownSetting: Hashable, Sendable, CustomStringConvertible {
    package let key: String
    /// The setting that was probably meant.
    package let meant: String?

    package init(_ key: String) {
        self.key = key
        // A flag of handoffd is written otherwise in the file.
        meant =
            Setting.find(key)?.key
            ?? NearestName.to(
                key, in: Setting.all.flatMap { [$0.shownKey] + ($0.flag.map { [$0] } ?? []) })
    }

    /// `there is no setting "nmae"; did you mean name?`
    package var description: String {
        "there is no setting \"\(key)\"" + (meant.map { "; did you mean \($0)?" } ?? "")
    }
}
