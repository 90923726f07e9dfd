// SPDX-License-Identifier: Apache-2.0

/// Every limit of what sites and apps say of one another, with its unit. Each has a test by its name.
package enum AssociationLimits {
    /// Certificates in a signed file.
    package static let certificates = 8
    /// Domains of one app, count.
    package static let domains = 50
    /// Bytes that are compared for one address before the answer is no: some milliseconds.
    package static let comparisons = 1_000_000
    /// Steps of an explanation, count.
    package static let steps = 256
}
