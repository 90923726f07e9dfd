// SPDX-License-Identifier: Apache-2.0

package import HandoffCore

package struct DiscoverySettings: Hashable, Sendable {
    package var peers: [NetworkAddress]
    /// False: this device neither sends nor receives beacons.
    package var beacons: Bool

    package init(peers: [NetworkAddress] = [], beacons: Bool = true) {
        self.peers = peers
        self.beacons = beacons
    }
}
