// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct TableTests {
    let table = Table(
        heading: ["NAME", "STATE"], rows: [["laptop", "away"], ["x", "connected"]], ifEmpty: "no devices")

    @Test func alignedOnATerminal() {
        #expect(table.text(Terminal(isTerminal: true)) == "NAME    STATE\nlaptop  away\nx       connected")
        let empty = Table(heading: ["NAME"], rows: [], ifEmpty: "no devices")
        #expect(empty.text(Terminal(isTerminal: true)) == "no devices")
    }

    @Test func splitByTabsElsewhere() {
        #expect(table.text(Terminal(isTerminal: false)) == "laptop\taway\nx\tconnected")
    }

    @Test func timesAreInWordsThatPeopleRead() {
        #expect(Duration.seconds(0).inWords == "0 s")
        #expect(Duration.seconds(302).inWords == "5 min 2 s")
        #expect(Duration.seconds(3 * 86400 + 4 * 3600 + 59).inWords == "3 d 4 h")
        #expect(Duration.microseconds(12_340).inMilliseconds == "12.3 ms")
        #expect(Duration.milliseconds(999).inBrief == "999.0 ms")
        #expect(Duration.milliseconds(6_587).inBrief == "6.6 s")
        #expect(Duration.seconds(62).inBrief == "1 min 2 s")
        #expect(WallTime(milliseconds: 1_700_000_000_000).iso8601 == "2023-11-14T22:13:20Z")
    }
}
