// SPDX-License-Identifier: Apache-2.0

import HandoffCore

enum DiscoveryLimits {
    /// After the event.
    static let burst: [Duration] = [.zero, .milliseconds(150), .milliseconds(600)]
    /// Random, except for the first, so that devices that woke up together do not stay synchronized.
    static let burstJitter: Duration = .milliseconds(50)
    static let beaconGap: Duration = .milliseconds(100)
    /// For an idle device.
    static let beaconInterval: Duration = .seconds(300)
    /// While joining: between two beacons, and until giving up.
    static let searchInterval: Duration = .seconds(1)
    static let searchDuration: Duration = .seconds(10)

    static let answerGap: Duration = .milliseconds(100)
    static let answersPerSecond = 20
    static let answeredDevices = 128

    /// After a failed dial; each further failure doubles it.
    static let firstPause: Duration = .milliseconds(500)
    static let longestPause: Duration = .seconds(60)
    /// After so many failures in a row, an address that the user did not give is dialled only with the five-minute
    /// beacon.
    static let failuresUntilDormant = 9
    /// Between two dials to one address, even if a beacon arrives.
    static let dialGap: Duration = .milliseconds(500)
    /// Instead of `dialGap`, if the other daemon has restarted: the earlier failure is irrelevant.
    static let restartGap: Duration = .milliseconds(50)
    /// The device with the higher ID lets the lower one dial first.
    static let courtesy: Duration = .milliseconds(250)
    /// From a session's end to the first new dial.
    static let reunionPause: Duration = .milliseconds(20)
    /// Without an answer by then, a second address is dialled.
    static let secondDialAfter: Duration = .milliseconds(250)
    /// Reserves one for an address from a recent beacon.
    static let dialsPerDevice = 3
    static let dialsAtOnce = 16
    /// A shorter session does not reset the pause of its address.
    static let lastingSession: Duration = .seconds(10)

    static let routesPerDevice = 8
    /// A change of their path is noticed.
    static let notedWays = 1024
    static let knownAddressesPerDevice = 4
    /// The machine was asleep if the wall clock advanced this much more than the other clock.
    static let sleepThreshold: Duration = .seconds(5)
}

struct DiscoverySettings: Hashable, Sendable {
    var peers: [NetworkAddress] = []
    var beacons: Bool = true
}
