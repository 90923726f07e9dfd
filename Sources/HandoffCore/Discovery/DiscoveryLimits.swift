// SPDX-License-Identifier: Apache-2.0

package enum DiscoveryLimits {
    /// When the beacons of a burst are sent, after the event that caused it.
    package static let burst: [Duration] = [.zero, .milliseconds(150), .milliseconds(600)]
    /// Added at random to each but the first, so that devices that woke up together do not stay synchronized.
    package static let burstJitter: Duration = .milliseconds(50)
    package static let beaconGap: Duration = .milliseconds(100)
    /// Between the beacons of an idle device.
    package static let beaconInterval: Duration = .seconds(300)
    /// While joining: between two beacons, and until giving up.
    package static let searchInterval: Duration = .seconds(1)
    package static let searchDuration: Duration = .seconds(10)

    package static let answerGap: Duration = .milliseconds(100)
    package static let answersPerSecond = 20
    package static let answeredDevices = 128

    /// The first pause after a failed dial; each further failure doubles it, up to the longest.
    package static let firstPause: Duration = .milliseconds(500)
    package static let longestPause: Duration = .seconds(60)
    /// After this many consecutive failures, an address is dialled only with the five-minute beacon, unless the user
    /// gave it.
    package static let failuresUntilDormant = 9
    /// The minimum time between two dials to one address, even if a beacon arrives.
    package static let dialGap: Duration = .milliseconds(500)
    /// The same if the beacon shows that the other daemon has restarted since the last dial, because the earlier
    /// failure is then irrelevant.
    package static let restartGap: Duration = .milliseconds(50)
    /// The device with the higher ID gives the lower one this much time to dial first.
    package static let courtesy: Duration = .milliseconds(250)
    /// From a session's end to the first new dial.
    package static let reunionPause: Duration = .milliseconds(20)
    /// A second address is dialled if the first has not answered by then.
    package static let secondDialAfter: Duration = .milliseconds(250)
    /// One of them is reserved for an address from a recent beacon.
    package static let dialsPerDevice = 3
    package static let dialsAtOnce = 16
    /// A shorter session does not reset the pause of its address.
    package static let lastingSession: Duration = .seconds(10)

    package static let routesPerDevice = 8
    /// Hosts whose network path is remembered, so that a change is noticed.
    package static let notedWays = 1024
    /// Addresses per device kept across a restart.
    package static let knownAddressesPerDevice = 4
    /// The machine was asleep if the wall clock advanced this much more than the other clock.
    package static let sleepThreshold: Duration = .seconds(5)
}
