// SPDX-License-Identifier: Apache-2.0

package import HandoffCore

package struct DiscoverySettings: Hashable, Sendable {
    /// Addresses of other devices given by hand.
    package var peers: [NetworkAddress]
    /// False: this device neither sends nor hears beacons.
    package var beacons: Bool

    package init(peers: [NetworkAddress] = [], beacons: Bool = true) {
        self.peers = peers
        self.beacons = beacons
    }
}
