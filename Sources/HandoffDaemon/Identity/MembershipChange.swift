// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The parts of the membership that changed; at least one did.
package struct MembershipChange: Hashable, Sendable {
    /// This device has a new key, because it left its account.
    let isOtherDevice: Bool
    /// An account was created or left, or is a different one.
    let isOtherAccount: Bool
    package let joined: Set<DeviceID>
    package let left: Set<DeviceID>
    package let renamed: Set<DeviceID>
    /// Statements or secrets in the roster changed. Usually this follows from the above, but the admission of a removed
    /// device or a renewed secret does not affect the members.
    let isOtherRoster: Bool

    var isOfMembers: Bool { isOtherDevice || isOtherAccount || !joined.isEmpty || !left.isEmpty }
}

/// A snapshot of the membership; two of them yield the change.
package struct MembershipState {
    private let device: DeviceID
    private let account: AccountID?
    private let names: [DeviceID: DisplayText]
    private let rosterDigest: [UInt8]

    package init(_ membership: any Membership, rosterDigest: [UInt8] = []) {
        device = membership.device
        account = membership.account
        names = Dictionary(membership.members.map { ($0.device, $0.name) }) { $1 }
        self.rosterDigest = rosterDigest
    }

    package func change(to new: MembershipState) -> MembershipChange? {
        let change = MembershipChange(
            isOtherDevice: device != new.device, isOtherAccount: account != new.account,
            joined: Set(new.names.keys.filter { names[$0] == nil }),
            left: Set(names.keys.filter { new.names[$0] == nil }),
            renamed: Set(new.names.keys.filter { names[$0] != nil && names[$0] != new.names[$0] }),
            isOtherRoster: rosterDigest != new.rosterDigest)
        return change.isOfMembers || !change.renamed.isEmpty || change.isOtherRoster ? change : nil
    }
}
