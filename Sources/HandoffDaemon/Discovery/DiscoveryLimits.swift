// SPDX-License-Identifier: Apache-2.0

import HandoffCore

enum DiscoveryLimits {
    /// When the beacons of a burst are sent, after the event that caused it.
    static let burst: [Duration] = [.zero, .milliseconds(150), .milliseconds(600)]
    /// Added at random to each but the first, so that devices that woke up together do not stay synchronized.
    static let burstJitter: Duration = .milliseconds(50)
    static let beaconGap: Duration = .milliseconds(100)
    /// Between the beacons of an idle device.
    static let beaconInterval: Duration = .seconds(300)
    /// While joining: between two beacons, and until giving up.
    static let searchInterval: Duration = .seconds(1)
    static let searchDuration: Duration = .seconds(10)

    static let answerGap: Duration = .milliseconds(100)
    static let answersPerSecond = 20
    static let answeredDevices = 128

    /// The first pause after a failed dial; each further failure doubles it, up to the longest.
    static let firstPause: Duration = .milliseconds(500)
    static let longestPause: Duration = .seconds(60)
    /// After this many consecutive failures, an address is dialled only with the five-minute beacon, unless the user
    /// gave it.
    static let failuresUntilDormant = 9
    /// The minimum time between two dials to one address, even if a beacon arrives.
    static let dialGap: Duration = .milliseconds(500)
    /// The same if the beacon shows that the other daemon has restarted since the last dial, because the earlier
    /// failure is then irrelevant.
    static let restartGap: Duration = .milliseconds(50)
    /// The device with the higher ID gives the lower one this much time to dial first.
    static let courtesy: Duration = .milliseconds(250)
    /// From a session's end to the first new dial.
    static let reunionPause: Duration = .milliseconds(20)
    /// A second address is dialled if the first has not answered by then.
    static let secondDialAfter: Duration = .milliseconds(250)
    /// One of them is reserved for an address from a recent beacon.
    static let dialsPerDevice = 3
    static let dialsAtOnce = 16
    /// A shorter session does not reset the pause of its address.
    static let lastingSession: Duration = .seconds(10)

    static let routesPerDevice = 8
    /// Hosts whose network path is remembered, so that a change is noticed.
    static let notedWays = 1024
    /// Addresses per device kept across a restart.
    static let knownAddressesPerDevice = 4
    /// The machine was asleep if the wall clock advanced this much more than the other clock.
    static let sleepThreshold: Duration = .seconds(5)
}

struct DiscoverySettings: Hashable, Sendable {
    var peers: [NetworkAddress] = []
    /// False: this device neither sends nor receives beacons.
    var beacons: Bool = true
}
