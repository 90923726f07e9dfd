// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows W05: the order of found entries.
@Suite struct FrecencyTests {
    private let start = WallTime(milliseconds: 1_800_000_000_000)
    private func day(_ days: Double) -> WallTime { start.advanced(by: .seconds(days * 24 * 3600)) }

    private func used(on days: [Double]) -> Frecency {
        var frecency = Frecency(firstUse: day(days[0]))
        for use in days.dropFirst() { _ = frecency.used(at: day(use)) }
        return frecency
    }

    @Test func laterUseOutweighsEarlierUse() {
        #expect(used(on: [1]).score > used(on: [0]).score)
    }

    @Test func twoUsesWeighAsMuchAsOneThirtyDaysLater() {
        let two = used(on: [0, 0.01])
        #expect(abs(two.score - used(on: [30]).score) < 0.001)
        #expect(two.uses == 2)
    }

    @Test func manyUsesOutweighALaterUse() {
        #expect(used(on: [0, 1, 2, 3, 4, 5, 6, 7]).score > used(on: [60]).score)
        #expect(used(on: [0, 1, 2, 3, 4, 5, 6, 7]).score < used(on: [120]).score)
    }

    @Test func usesWithinFiveMinutesAreTheSame() {
        var frecency = Frecency(firstUse: start)
        let before = frecency
        for seconds in stride(from: 1, to: 300, by: 7) { _ = frecency.used(at: start.advanced(by: .seconds(seconds))) }
        #expect(frecency == before)
        _ = frecency.used(at: start.advanced(by: .seconds(300)))
        #expect(frecency.uses == 2)
    }

    @Test func aClockThatWasAheadDoesNotKeepAnEntryOnTop() {
        let ahead = used(on: [20_000])
        let daily = used(on: [1, 2, 3])
        #expect(ahead.score > daily.score)
        #expect(ahead.rank(at: day(3)) < daily.rank(at: day(3)))
    }

    @Test func aClockThatIsSetBackIsAnotherUse() {
        var frecency = used(on: [100])
        _ = frecency.used(at: start)
        #expect(frecency.last == start && frecency.uses == 2)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func storedScoreThatIsNotFiniteIsThatOfASingleUse(score: Double) {
        #expect(Frecency(score: score, uses: -3, last: start) == Frecency(firstUse: start))
    }

    @Test func clocksAtTheEndOfTimeDoNotTrap() {
        var frecency = Frecency(firstUse: WallTime(milliseconds: .min))
        _ = frecency.used(at: WallTime(milliseconds: .max))
        #expect(frecency.score.isFinite && frecency.rank(at: WallTime(milliseconds: .min)).isFinite)
    }
}
