// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

package struct Member: Hashable, Sendable {
    package let device: DeviceID
    package let name: DisplayText
    package let kind: DeviceKind
    package let admitted: WallTime
    /// Nil for the founder.
    package let admittedBy: DeviceID?

    package init(device: DeviceID, name: DisplayText, kind: DeviceKind, admitted: WallTime, admittedBy: DeviceID?) {
        self.device = device
        self.name = name
        self.kind = kind
        self.admitted = admitted
        self.admittedBy = admittedBy
    }
}

/// Tests may substitute it.
package protocol Membership: AnyObject {
    /// Always has a key.
    var device: DeviceID { get }
    var account: AccountID? { get }
    /// Includes this device; empty without an account.
    var members: [Member] { get }
    func member(_ device: DeviceID) -> Member?
    /// Nil for a member, and without an account.
    var end: MembershipEnd? { get }
    var recoveryKey: RecoveryKeyState { get }
    /// Sentences for the user: these devices' keys are also on other machines. This device first.
    var duplications: [String] { get }
    /// Hosts whose beacons did not open recently, sorted.
    var strangers: [String] { get }
    /// In the order of registration, also after changes of the roster.
    func onChange(_ observer: @escaping (MembershipChange) -> Void)
}

/// At least one part changed.
package struct MembershipChange: Hashable, Sendable {
    /// This device left its account, so it has a new key.
    let isOtherDevice: Bool
    let isOtherAccount: Bool
    package let joined: Set<DeviceID>
    package let left: Set<DeviceID>
    package let renamed: Set<DeviceID>
    /// In the roster. The admission of a removed device or a renewed secret changes nothing else.
    let isOtherRoster: Bool

    var isOfMembers: Bool { isOtherDevice || isOtherAccount || !joined.isEmpty || !left.isEmpty }
}

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

package protocol RosterKeeping: AnyObject {
    /// Other members may lack it.
    var rosterUpdate: RosterUpdate { get }
    func takeRosterNews() -> RosterUpdate
    /// 32 bytes, equal for equal rosters and secrets; empty without an account.
    var rosterDigest: [UInt8] { get }
    /// Unverified, and cheap to compute.
    func unknown(of update: RosterUpdate) -> RosterUpdate
    /// Stores the new and proven statements; drops and logs unproven statements. Returns false if nothing changed.
    /// Throws if the disk fails.
    func merge(_ update: RosterUpdate) throws -> Bool
    func hasCaughtUp(_ device: DeviceID)
    /// `device` may be this one. A nil `member`: this device's own sessions show it.
    func copyFound(of device: DeviceID, reportedBy member: DeviceID?)

    /// Notified of its removal, and of nothing else.
    func isFormerMember(_ device: DeviceID) -> Bool
    var removalNotice: RosterUpdate { get }
    /// A former member's statements are ignored, except a recovery of the account. Unverified, and cheap to compute.
    func recoveries(in update: RosterUpdate) -> RosterUpdate
}

package protocol BeaconSealing: AnyObject {
    /// Nil without the key: the account, or an invite that is open or being joined, is missing.
    func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]?
    /// Nil if forged, damaged, replayed or from another account.
    func open(_ datagram: [UInt8], from host: String) -> (beacon: Beacon, key: BeaconKeyKind)?

    var isSearchingInviter: Bool { get }
    func inviterFound(at address: NetworkAddress)
    /// New devices on the network can find an invite.
    var canAnnounce: Bool { get set }
    func duplicateHeard(at address: NetworkAddress)
    /// Proves nothing, not even its source.
    func announcementReceived(_ datagram: [UInt8], from host: String)
    func onSearch(_ observer: @escaping (InviterSearch) -> Void)
}

package enum InviterSearch: Hashable, Sendable {
    case changed
    case joined(by: DeviceID, at: NetworkAddress)
    /// Send this datagram to everyone on the network.
    case announce([UInt8])
}
