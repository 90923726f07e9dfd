// SPDX-License-Identifier: Apache-2.0

/// With units. Each has a test by its name.
package enum AssociationLimits {
    /// In a signed file.
    package static let certificates = 8
    /// For one app.
    package static let domains = 50
    /// Bytes compared for one address: some milliseconds.
    package static let comparisons = 1_000_000
    /// In an explanation.
    package static let steps = 256
}
