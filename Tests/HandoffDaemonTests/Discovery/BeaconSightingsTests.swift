// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows Y06.
@Suite struct BeaconSightingsTests {
    private let wall = WallTime(milliseconds: 1_800_000_000_000)
    private let now = Instant.zero

    private func beacon(of number: UInt8, at time: WallTime) -> Beacon {
        Beacon(
            device: DeviceID(uncheckedBytes: Array(repeating: number, count: 32)), port: 47474, boot: BootID(1),
            time: time, isAnswer: false)
    }

    @Test func hostsAreForgottenAndLimited() {
        var sightings = BeaconSightings()
        for number in 0..<1000 { sightings.unopened(from: "192.0.2.\(number)", now: now) }
        #expect(sightings.strangers(now: now).count == BeaconSightings.hosts)
        let later = now.advanced(by: BeaconSightings.lifetime)
        #expect(sightings.strangers(now: later).isEmpty)
        sightings.unopened(from: "192.0.2.7", now: later)
        #expect(sightings.strangers(now: later) == ["192.0.2.7"])
    }

    @Test func clockIsKnownWhileItIsWrong() {
        var sightings = BeaconSightings()
        let device = beacon(of: 1, at: wall).device
        for difference in [Duration.seconds(7200), .seconds(-86400)] {
            sightings.opened(beacon(of: 1, at: wall.advanced(by: difference)), now: now, wall: wall)
            #expect(sightings.clock(of: device, now: now) == difference)
        }
        #expect(sightings.clock(of: device, now: now.advanced(by: BeaconSightings.lifetime)) == nil)
        sightings.opened(beacon(of: 1, at: wall.advanced(by: ReplayWindow.tolerance)), now: now, wall: wall)
        #expect(sightings.clock(of: device, now: now) == nil)
        for milliseconds in [Int64.min, .max] {
            sightings.opened(beacon(of: 1, at: WallTime(milliseconds: milliseconds)), now: now, wall: wall)
            #expect(sightings.clock(of: device, now: now) != nil)
        }
        sightings.keep([])
        #expect(sightings.clock(of: device, now: now) == nil)
    }
}
