// SPDX-License-Identifier: Apache-2.0

import HandoffCore

struct DiscoverySettings: Hashable, Sendable {
    var peers: [NetworkAddress] = []
    /// False: this device neither sends nor receives beacons.
    var beacons: Bool = true
}
