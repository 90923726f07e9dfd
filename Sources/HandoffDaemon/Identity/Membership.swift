// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A device that counts, as the roster has it.
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

/// What the other features ask about who belongs to the account. `IdentityService` answers; tests may stand in.
package protocol Membership: AnyObject {
    /// This device; there is always a key.
    var device: DeviceID { get }
    /// Nil: no account yet.
    var account: AccountID? { get }
    /// All members, this device too; empty without an account.
    var members: [Member] { get }
    func member(_ device: DeviceID) -> Member?

    /// What other members may lack.
    var rosterUpdate: RosterUpdate { get }
    /// 32 bytes, equal for equal rosters and secrets; empty without an account.
    var rosterDigest: [UInt8] { get }
    /// Keeps what is new and proven; returns whether anything changed, which is on disk then. What is not proven is
    /// dropped and logged. Throws where the disk refuses.
    func merge(_ update: RosterUpdate) throws -> Bool
    /// That member has what we have.
    func hasCaughtUp(_ device: DeviceID)

    /// It was a member once and is none now: it is told so, and nothing else.
    func isFormerMember(_ device: DeviceID) -> Bool
    /// What a former member is shown of the roster.
    var removalNotice: RosterUpdate { get }
    /// What a former member says counts for nothing, but that the account was recovered.
    func mergeRecovery(_ update: RosterUpdate) throws -> Bool
    /// A sentence for the user where this device is no member of its account any more.
    var removal: String? { get }

    /// Nil where there is no such key: no account, or no invite open or being joined.
    func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]?
    /// Nil for anything forged, damaged, replayed or of another account.
    func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)?

    /// True while this device joins and looks for the inviter: Discovery then broadcasts invite beacons.
    var isSearchingInviter: Bool { get }
    /// Discovery tells: whoever made the invite that we are joining answered from here.
    func inviterFound(at address: NetworkAddress)

    /// Called after the account, its members or `isSearchingInviter` changed, in the order of registration.
    func onChange(_ observer: @escaping () -> Void)
    /// Called when an address of a member became known by joining.
    func onAddressLearned(_ observer: @escaping (DeviceID, NetworkAddress) -> Void)
}

/// Joining connections, handed on by the sessions' owner. `IdentityService` answers.
package protocol EnrollmentHandler: AnyObject {
    /// An invite is open.
    var isEnrolling: Bool { get }
    func enrollLinkAccepted(_ link: any EnrollLink)
    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink)
    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?)
}
