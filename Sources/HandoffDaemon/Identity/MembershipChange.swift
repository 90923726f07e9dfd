// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What of the membership is another than before; something is.
package struct MembershipChange: Hashable, Sendable {
    /// This device has another key: it left its account.
    package let isOtherDevice: Bool
    /// There is an account now and was none, or the other way round, or it is another one.
    package let isOtherAccount: Bool
    package let joined: Set<DeviceID>
    package let left: Set<DeviceID>
    /// Members before and now, of other names.
    package let renamed: Set<DeviceID>
    /// Statements or secrets of the roster. Mostly because of the above, but a device that is none any more may be
    /// admitted, or a secret be renewed, with no effect on who belongs.
    package let isOtherRoster: Bool

    /// Who belongs, or what for: the account, this device, or any other.
    package var isOfMembers: Bool { isOtherDevice || isOtherAccount || !joined.isEmpty || !left.isEmpty }
}

/// What of the membership is told: taken before and after, it gives the change.
package struct MembershipState {
    private let device: DeviceID
    private let account: AccountID?
    private let names: [DeviceID: DisplayText]
    private let rosterDigest: [UInt8]

    /// `rosterDigest`: 32 bytes, or none.
    package init(_ membership: any Membership, rosterDigest: [UInt8] = []) {
        device = membership.device
        account = membership.account
        names = Dictionary(membership.members.map { ($0.device, $0.name) }) { $1 }
        self.rosterDigest = rosterDigest
    }

    /// Nil: nothing changed.
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
