// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

// Shows X04.

@Suite struct ReplayWindowTests {
    let noon = WallTime(milliseconds: 1_800_000_000_000)
    var window = ReplayWindow()

    private func nonce(_ number: Int) -> BeaconNonce {
        BeaconNonce(bytes: (0..<12).map { UInt8(truncatingIfNeeded: number >> ($0 * 8 % 56)) })
    }

    @Test mutating func beaconCountsOnce() {
        #expect(window.judge(nonce(1), sent: noon, now: noon) == .fresh)
        #expect(window.judge(nonce(1), sent: noon, now: noon) == .replayed)
        #expect(window.judge(nonce(2), sent: noon, now: noon) == .fresh)
    }

    @Test mutating func clocksMayBeApartByTheTolerance() {
        let late = noon.advanced(by: ReplayWindow.tolerance)
        #expect(window.judge(nonce(1), sent: noon, now: late) == .fresh)
        #expect(window.judge(nonce(2), sent: late, now: noon) == .fresh)
        let tooLate = late.advanced(by: .milliseconds(1))
        #expect(window.judge(nonce(3), sent: noon, now: tooLate) == .tooOld)
        #expect(window.judge(nonce(4), sent: tooLate, now: noon) == .fromTheFuture)
    }

    @Test mutating func absurdTimesAreRefused() {
        #expect(window.judge(nonce(1), sent: WallTime(milliseconds: .min), now: noon) == .tooOld)
        #expect(window.judge(nonce(2), sent: WallTime(milliseconds: .max), now: noon) == .fromTheFuture)
    }

    @Test mutating func whatIsTooOldAnywayIsForgotten() {
        for number in 0..<100 { _ = window.judge(nonce(number), sent: noon, now: noon) }
        #expect(window.count == 100)
        let later = noon.advanced(by: ReplayWindow.tolerance + .seconds(1))
        #expect(window.judge(nonce(1000), sent: later, now: later) == .fresh)
        #expect(window.count == 1)
        #expect(window.judge(nonce(5), sent: noon, now: later) == .tooOld)
    }

    @Test mutating func memoryIsBoundedAndNoReplayComesThroughForIt() {
        let sent = (0..<ReplayWindow.capacity * 3).map { noon.advanced(by: .milliseconds($0)) }
        for (number, time) in sent.enumerated() {
            #expect(window.judge(nonce(number), sent: time, now: time) == .fresh)
            #expect(window.count <= ReplayWindow.capacity)
        }
        let now = sent[sent.count - 1]
        for (number, time) in sent.enumerated() {
            #expect(window.judge(nonce(number), sent: time, now: now) != .fresh, "number \(number)")
        }
    }

    /// Whatever comes in whatever order: no nonce counts twice, and memory is bounded.
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
                if window.judge(nonce(number), sent: sent, now: now) == .fresh {
                    #expect(counted.insert(number).inserted, "seed \(seed)")
                }
            }
        }
    }
}
