// SPDX-License-Identifier: Apache-2.0

/// With units. Each has a test by its name.
package enum BundleLimits {
    /// Files, folders and links.
    package static let entries = 20_000
    /// All files together.
    package static let fileBytes: Int64 = 1024 * 1024 * 1024
    package static let depth = 32
    /// Also for a link's target.
    static let pathBytes = 1024
    /// `_Signature/manifest`.
    package static let manifestBytes = 8 * 1024 * 1024
    /// `_Signature/signature`.
    package static let signatureBytes = 32 * 1024
    /// A developer's and the team's.
    package static let certificates = 2
    /// `CFBundleShortVersionString`, characters.
    package static let versionCharacters = 64
    /// All values together.
    package static let entitlements = 256
    /// One value.
    static let entitlementBytes = 1024
}
