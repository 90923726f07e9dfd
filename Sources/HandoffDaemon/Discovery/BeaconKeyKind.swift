// SPDX-License-Identifier: Apache-2.0

import HandoffCore

package enum BeaconKeyKind: Hashable, Sendable {
    /// The account's key, by which members find each other.
    case account
    /// The account's key before a device was removed, used by a member that does not know of the removal. This device
    /// never sends with it.
    case former
    /// Derived from an invite's code: a joining device and its inviter find each other.
    case invite
}
