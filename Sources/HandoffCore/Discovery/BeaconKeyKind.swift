// SPDX-License-Identifier: Apache-2.0

/// Under which key a beacon is sealed.
package enum BeaconKeyKind: Hashable, Sendable {
    /// The account's: members find each other.
    case account
    /// Derived from an invite's code: a joining device and its inviter find each other.
    case invite
}
