// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct ShownFactsTests {
    /// The names are unknown to the command.
    @Test func anUnknownFactIsShownByItsName() throws {
        let facts = try #require(
            ShownFacts([
                Fact("monkeysSeen", .count(3)), Fact("relayWait", .duration(.milliseconds(12))),
                Fact("lastMeal", .time(WallTime(milliseconds: 1_772_366_400_000))),
            ]))
        #expect(Array(facts.lines.prefix(2)) == ["monkeys seen 3", "relay wait 12.0 ms"])
        #expect(facts.lines[2].hasPrefix("last meal 2026-03-01 "))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(facts), as: UTF8.self)
        #expect(json == #"{"lastMeal":"2026-03-01T12:00:00Z","monkeysSeen":3,"relayWait":12}"#)
    }

    @Test func emptyFactsHaveNoObject() {
        #expect(ShownFacts([]) == nil)
    }
}
