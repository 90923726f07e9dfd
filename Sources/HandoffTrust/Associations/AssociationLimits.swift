// SPDX-License-Identifier: Apache-2.0

/// With units. Each has a test by its name.
enum AssociationLimits {
    /// In a signed file.
    static let certificates = 8
    /// For one app.
    static let domains = 50
    /// Bytes compared for one address: some milliseconds.
    static let comparisons = 1_000_000
    /// In an explanation.
    static let steps = 256
}
