// SPDX-License-Identifier: Apache-2.0

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
    /// A sentence for the user where this device is no member of its account any more.
    var removal: String? { get }
    /// Sentences for the user about devices, this one first, whose key another machine has too, as after a disk was copied.
    var duplications: [String] { get }
    /// Called after any of that, or the roster, became another, in the order of registration.
    func onChange(_ observer: @escaping (MembershipChange) -> Void)
}
