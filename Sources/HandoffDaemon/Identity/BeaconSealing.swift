// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What Discovery asks: to seal and open beacons, and whether an inviter is looked for. `IdentityService` answers.
package protocol BeaconSealing: AnyObject {
    /// Nil where there is no such key: no account, or no invite open or being joined.
    func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]?
    /// Nil for anything forged, damaged, replayed or of another account.
    func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)?

    /// True while this device joins and looks for the inviter: invite beacons are to be broadcast.
    var isSearchingInviter: Bool { get }
    /// Whoever made the invite that we are joining answered from here.
    func inviterFound(at address: NetworkAddress)
    /// Another device with this device's key announced itself from here.
    func duplicateHeard(at address: NetworkAddress)
    /// Called after the search began, ended or led to the account, in the order of registration.
    func onSearch(_ observer: @escaping (InviterSearch) -> Void)
}

/// How it stands with the search for an inviter.
package enum InviterSearch: Hashable, Sendable {
    /// `isSearchingInviter` may be another.
    case changed
    /// This device is a member now, by way of that one, which was reached there.
    case joined(by: DeviceID, at: NetworkAddress)
}
