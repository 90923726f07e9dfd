// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Seals and opens beacons for Discovery, and reports the search for an inviter. Implemented by `IdentityService`.
package protocol BeaconSealing: AnyObject {
    /// Nil if the key does not exist: there is no account, or no invite that is open or being joined.
    func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]?
    /// Nil for a datagram that is forged, damaged, replayed or from another account.
    func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)?

    /// True while this device joins and searches for the inviter with invite beacons.
    var isSearchingInviter: Bool { get }
    /// The inviter whose account this device is joining answered from here.
    func inviterFound(at address: NetworkAddress)
    /// Another machine with this device's key sent a beacon from here.
    func duplicateHeard(at address: NetworkAddress)
    /// Called after the search began, ended or led to the account, in the order of registration.
    func onSearch(_ observer: @escaping (InviterSearch) -> Void)
}

package enum InviterSearch: Hashable, Sendable {
    case changed
    /// This device became a member through that one, which was reached at that address.
    case joined(by: DeviceID, at: NetworkAddress)
}
