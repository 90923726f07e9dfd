// SPDX-License-Identifier: Apache-2.0

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

/// The account's members. Implemented by `IdentityService`; tests may substitute it.
package protocol Membership: AnyObject {
    /// This device; it always has a key.
    var device: DeviceID { get }
    var account: AccountID? { get }
    /// Includes this device; empty without an account.
    var members: [Member] { get }
    func member(_ device: DeviceID) -> Member?
    /// A sentence for the user if this device is no longer a member of its account.
    var removal: String? { get }
    /// Sentences for the user about devices, this one first, whose key is also on another machine, for example after a
    /// disk was copied.
    var duplications: [String] { get }
    /// Called after a change of any of these or the roster, in the order of registration.
    func onChange(_ observer: @escaping (MembershipChange) -> Void)
}
