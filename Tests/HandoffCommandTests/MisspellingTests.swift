// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCommand

@Suite struct MisspellingTests {
    @Test(arguments: [
        ("activty", "activty", "activity"), ("activty list", "activty", "activity"), ("activity lst", "lst", "list"),
        ("--json acount show", "acount", "account"), ("--root status stauts", "stauts", "status"),
        ("--root=x device --json lits", "lits", "list"), ("devices list", "devices", "device"),
        ("policy of", "of", "off"), ("team distrsut KEY", "distrsut", "distrust"),
        ("activity otbox", "otbox", "outbox"), ("contine", "contine", "continue"),
    ]) func theNearestIsMeant(line: String, word: String, meant: String) {
        let found = misspelling(line)
        #expect(found?.word == word && found?.meant == meant)
    }

    @Test(arguments: [
        "", "bogus", "activity", "activity list", "activity list lst", "activity continue stauts", "-- activty",
        "activity xyz", "activity sends", "activity unsend 7", "--root activty status", "wc list",
    ]) func knownOrDistantWordsAreNotCorrected(line: String) {
        #expect(misspelling(line) == nil)
    }

    private func misspelling(_ line: String) -> Misspelling? {
        Misspelling(in: line.split(separator: " ").map(String.init), of: HandoffCommand.self)
    }
}
