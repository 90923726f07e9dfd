// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows X04.

@Suite struct ReplayWindowTests {
    let noon = WallTime(milliseconds: 1_800_000_000_000)
    let phone = Devices.phone.id
    var window = ReplayWindow()

    private func nonce(_ number: Int) -> BeaconNonce {
        BeaconNonce(bytes: (0..<12).map { UInt8(truncatingIfNeeded: number >> ($0 * 8 % 56)) })
    }

    @Test mutating func beaconIsFreshOnce() {
        #expect(window.judge(nonce(1), of: phone, sent: noon, now: noon) == .fresh)
        #expect(window.judge(nonce(1), of: phone, sent: noon, now: noon) == .replayed)
        #expect(window.judge(nonce(2), of: phone, sent: noon, now: noon) == .fresh)
    }

    @Test mutating func clocksMayBeApartByTheTolerance() {
        let late = noon.advanced(by: ReplayWindow.tolerance)
        #expect(window.judge(nonce(1), of: phone, sent: noon, now: late) == .fresh)
        #expect(window.judge(nonce(2), of: phone, sent: late, now: noon) == .fresh)
        let tooLate = late.advanced(by: .milliseconds(1))
        #expect(window.judge(nonce(3), of: phone, sent: noon, now: tooLate) == .tooOld)
        #expect(window.judge(nonce(4), of: phone, sent: tooLate, now: noon) == .fromTheFuture)
    }

    @Test mutating func absurdTimesAreRefused() {
        #expect(window.judge(nonce(1), of: phone, sent: WallTime(milliseconds: .min), now: noon) == .tooOld)
        #expect(window.judge(nonce(2), of: phone, sent: WallTime(milliseconds: .max), now: noon) == .fromTheFuture)
    }

    @Test mutating func outdatedNoncesAreForgotten() {
        for number in 0..<100 { _ = window.judge(nonce(number), of: phone, sent: noon, now: noon) }
        #expect(window.count == 100)
        let later = noon.advanced(by: ReplayWindow.tolerance + .seconds(1))
        #expect(window.judge(nonce(1000), of: phone, sent: later, now: later) == .fresh)
        #expect(window.count == 1)
        #expect(window.judge(nonce(5), of: phone, sent: noon, now: later) == .tooOld)
    }

    @Test mutating func memoryIsBoundedAndNoReplayComesThroughForIt() {
        let sent = (0..<ReplayWindow.noncesPerDevice * 3).map { noon.advanced(by: .milliseconds($0)) }
        for (number, time) in sent.enumerated() {
            #expect(window.judge(nonce(number), of: phone, sent: time, now: time) == .fresh)
            #expect(window.count <= ReplayWindow.noncesPerDevice)
        }
        let now = sent[sent.count - 1]
        for (number, time) in sent.enumerated() {
            #expect(window.judge(nonce(number), of: phone, sent: time, now: now) != .fresh, "number \(number)")
        }
    }

    /// A member can send beacons in any device's name.
    @Test mutating func beaconsDatedAheadSilenceNoDevice() {
        let ahead = noon.advanced(by: .seconds(590))
        for number in 0..<6000 {
            let name = [phone, Devices.laptop.id, nil][number % 3]
            _ = window.judge(nonce(number), of: name, sent: ahead.advanced(by: .milliseconds(number)), now: noon)
        }
        #expect(window.count <= ReplayWindow.noncesPerDevice * 3)
        let soon = noon.advanced(by: .seconds(1))
        for (number, device) in [phone, Devices.laptop.id, Devices.tablet.id].enumerated() {
            #expect(window.judge(nonce(9000 + number), of: device, sent: soon, now: soon) == .fresh)
        }
    }

    /// A flood in one device's name, dated now, does not affect others.
    @Test mutating func floodInOneNameCostsNoOtherDevice() {
        let earlier = noon.advanced(by: .seconds(-5))
        for number in 0..<6000 { _ = window.judge(nonce(number), of: phone, sent: noon, now: noon) }
        #expect(window.judge(nonce(9000), of: Devices.laptop.id, sent: earlier, now: noon) == .fresh)
        #expect(window.judge(nonce(9001), of: phone, sent: noon.advanced(by: .seconds(1)), now: noon) == .fresh)
    }

    @Test mutating func devicesThatLeftAreForgotten() {
        _ = window.judge(nonce(1), of: phone, sent: noon, now: noon)
        _ = window.judge(nonce(2), of: Devices.laptop.id, sent: noon, now: noon)
        window.keep([Devices.laptop.id])
        #expect(window.count == 1)
    }

    /// In any order of arrival, no nonce is fresh twice, and memory is bounded.
    @Test func randomWalksLetNoReplayThrough() {
        for seed in 0..<200 as Range<UInt64> {
            var random = Randomness.seeded(seed)
            var window = ReplayWindow()
            var counted: Set<Int> = []
            var now = noon
            for _ in 0..<500 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...20_000, using: &random)))
                let number = Int.random(in: 0..<200, using: &random)
                let sent = noon.advanced(by: .seconds(number * 10))
                if window.judge(nonce(number), of: phone, sent: sent, now: now) == .fresh {
                    #expect(counted.insert(number).inserted, "seed \(seed)")
                }
            }
        }
    }
}
