// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct TableTests {
    let table = Table(
        columns: [.elastic("NAME"), "STATE"], rows: [["laptop", "away"], ["x", "connected"]])

    @Test func alignedOnATerminal() {
        #expect(table.text(Terminal(isTerminal: true)) == "NAME    STATE\nlaptop  away\nx       connected")
    }

    @Test func splitByTabsElsewhere() {
        #expect(table.text(Terminal(isTerminal: false)) == "laptop\taway\nx\tconnected")
    }

    @Test func emptyListingPrintsNothingAndGivesAReason() {
        let listing = Listing<ShownDevice>([], ifEmpty: "no devices")
        for isTerminal in [true, false] { #expect(listing.text(Terminal(isTerminal: isTerminal)).isEmpty) }
        #expect(listing.absence == "no devices")
    }

    @Test(arguments: [
        ("abc", 3), ("", 0), ("日本語", 6), ("한국어", 6), ("한", 2), ("ｆｕｌｌ", 8), ("e\u{301}", 1), ("שלום", 4),
        ("🦀", 2), ("👩🏽‍🚀", 2), ("❤️", 2), ("❤", 1), ("🇫🇷", 2), ("1️⃣", 2), ("…", 1), ("нож", 3), ("a\u{200B}b", 2),
    ]) func textIsAsWideAsATerminalShowsIt(text: String, cells: Int) {
        #expect(text.width == cells)
    }

    @Test func wideCharactersAreAlignedToo() {
        let table = Table(
            columns: [.elastic("NAME"), "STATE"], rows: [["日本語", "a"], ["👩🏽‍🚀 x", "b"], ["abcdef", "c"]])
        #expect(table.text(Terminal(isTerminal: true)) == "NAME    STATE\n日本語  a\n👩🏽‍🚀 x    b\nabcdef  c")
    }

    @Test func longTitlesGiveWayAndNothingElse() {
        let id = String(repeating: "0", count: 20)
        let table = Table(
            columns: ["ID", .elastic("TITLE"), .elastic("APP"), "SINCE"],
            rows: [
                [id, "How to brew a good cup of coffee", "Some Long App Name", "12:00:00"],
                [id, "日本語のとても長い題名です", "x", "y"],
            ])
        #expect(
            table.text(Terminal(isTerminal: true, columns: 64)) == """
                ID                    TITLE            APP              SINCE
                00000000000000000000  How to brew a…   Some Long App…   12:00:00
                00000000000000000000  日本語のとても…  x                y
                """)
    }

    @Test(arguments: [60, 61, 62, 63, 70, 80, 90, 200]) func noLineIsWiderThanTheTerminal(columns: Int) {
        let table = Table(
            columns: ["ID", .elastic("TITLE"), .elastic("APP"), "SINCE"],
            rows: [
                ["0123456789012345", String(repeating: "長い", count: 40), String(repeating: "long ", count: 9), "1"],
                ["x", "👩🏽‍🚀 and more of them 👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀", "", "12:00:00"],
            ])
        let lines = table.text(Terminal(isTerminal: true, columns: columns)).split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines { #expect(String(line).width <= columns) }
    }

    @Test func fittingTextIsNotTruncated() {
        let wide = table.text(Terminal(isTerminal: true))
        #expect(table.text(Terminal(isTerminal: true, columns: 17)) == wide)
        // Columns have a minimum width; the terminal handles longer lines.
        #expect(table.text(Terminal(isTerminal: true, columns: 5)) == wide)
        #expect("Shopping list".fitted(to: 10) == "Shopping…")
        #expect("日本語".fitted(to: 6) == "日本語" && "日本語".fitted(to: 5) == "日本…" && "日本語".fitted(to: 4) == "日…")
        #expect("日本語".fitted(to: 0).isEmpty)
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
