// SPDX-License-Identifier: Apache-2.0

/// Every limit of a bundle and of its signature, with its unit. Each has a test by its name.
package enum BundleLimits {
    /// Files, folders and links of one bundle, count.
    package static let entries = 20_000
    /// All files of one bundle together, bytes.
    package static let fileBytes: Int64 = 1024 * 1024 * 1024
    /// Folders within one another.
    package static let depth = 32
    /// A path within a bundle, or the target of a link, UTF-8 bytes.
    package static let pathBytes = 1024
    /// `_Signature/manifest`, bytes.
    package static let manifestBytes = 8 * 1024 * 1024
    /// `_Signature/signature`, bytes.
    package static let signatureBytes = 32 * 1024
    /// Certificates in a signature: a developer's and the team's.
    package static let certificates = 2
    /// `CFBundleShortVersionString`, characters.
    package static let versionCharacters = 64
    /// Values of all entitlements together, count.
    package static let entitlements = 256
    /// One value of an entitlement, UTF-8 bytes.
    package static let entitlementBytes = 1024
}
