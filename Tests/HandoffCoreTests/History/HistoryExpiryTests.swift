// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows W05: no mass expiry by a clock that jumps.
@Suite struct HistoryExpiryTests {
    private let start = WallTime(milliseconds: 1_800_000_000_000)
    private func day(_ days: Int64) -> WallTime { start.advanced(by: .seconds(days * 24 * 3600)) }

    /// The results of looks at these times.
    private func looks(_ times: WallTime..., last: WallTime? = nil) -> [WallTime?] {
        var expiry = HistoryExpiry(lastLook: last)
        return times.map { expiry.look(at: $0) }
    }

    @Test func overdueAtTheLastLookIsRemoved() {
        #expect(looks(day(0), day(1), day(2)) == [nil, day(0), day(1)])
    }

    @Test func looksAreADayApart() {
        let hours = (1..<24).map { start.advanced(by: .seconds($0 * 3600)) }
        var expiry = HistoryExpiry(lastLook: day(0))
        let results = hours.compactMap { expiry.look(at: $0) }
        #expect(results.isEmpty)
        #expect(expiry.lastLook == day(0))
    }

    @Test func aClockThatJumpsAYearAheadAndBackRemovesNothingEarly() {
        // Entries that were overdue on day 0.
        #expect(looks(day(365), day(1), day(2), last: day(0)) == [day(0), nil, day(1)])
    }

    @Test func aMachineThatWasOffForAYearRemovesAtItsSecondLook() {
        #expect(looks(day(365), day(366), last: day(0)) == [day(0), day(365)])
    }
}
