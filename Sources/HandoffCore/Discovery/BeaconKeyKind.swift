// SPDX-License-Identifier: Apache-2.0

/// Under which key a beacon is sealed.
package enum BeaconKeyKind: Hashable, Sendable {
    /// The account's: members find each other.
    case account
    /// One the account had before a device was removed: of a member that has not heard of it. Nothing is sealed with it.
    case former
    /// Derived from an invite's code: a joining device and its inviter find each other.
    case invite
}
