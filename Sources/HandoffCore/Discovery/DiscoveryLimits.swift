// SPDX-License-Identifier: Apache-2.0

/// Times and bounds of finding other devices.
package enum DiscoveryLimits {
    /// When the beacons of a burst leave, after the event that caused it.
    package static let burst: [Duration] = [.zero, .milliseconds(150), .milliseconds(600)]
    /// Added at random to each but the first, so that devices which woke together do not keep step.
    package static let burstJitter: Duration = .milliseconds(50)
    /// Two beacons of ours are at least this far apart, whatever happens.
    package static let beaconGap: Duration = .milliseconds(100)
    /// Between the beacons of a device with nothing to do.
    package static let beaconInterval: Duration = .seconds(300)
    /// While joining: between two beacons, and until giving up.
    package static let searchInterval: Duration = .seconds(1)
    package static let searchDuration: Duration = .seconds(10)

    /// Answers to one device are at least this far apart.
    package static let answerGap: Duration = .milliseconds(100)
    /// Answers within one second, to all devices.
    package static let answersPerSecond = 20
    /// Devices whose last answer is remembered.
    package static let answeredDevices = 128

    /// The first pause after a dial that failed; each further one doubles it, up to the limit.
    package static let firstPause: Duration = .milliseconds(500)
    package static let longestPause: Duration = .seconds(60)
    /// After this many failures in a row an address is only tried along with the five-minute beacon, unless a person
    /// gave it.
    package static let failuresUntilDormant = 9
    /// Between two dials of one address, even if a beacon asks for it.
    package static let dialGap: Duration = .milliseconds(500)
    /// The same where the beacon tells of another start of the daemon than the one that was dialled: what failed then
    /// says nothing now.
    package static let restartGap: Duration = .milliseconds(50)
    /// The device with the higher id leaves the lower one this long to dial first.
    package static let courtesy: Duration = .milliseconds(250)
    /// From a session's end to the first new dial.
    package static let reunionPause: Duration = .milliseconds(20)
    /// A second address is dialled if the first has not answered by then.
    package static let secondDialAfter: Duration = .milliseconds(250)
    /// One of them is kept for an address that a beacon just came from.
    package static let dialsPerDevice = 3
    package static let dialsAtOnce = 16
    /// A session that ended sooner did not help: its address keeps its pause.
    package static let lastingSession: Duration = .seconds(10)

    /// Addresses of one device that are tried.
    package static let routesPerDevice = 8
    /// Hosts of which the way is remembered, so that a change of it is noticed.
    package static let notedWays = 1024
    /// Addresses of one device that are kept over a restart.
    package static let knownAddressesPerDevice = 4
    /// The clock on the wall ran this much further than the other one: the machine was asleep.
    package static let sleepThreshold: Duration = .seconds(5)
}
