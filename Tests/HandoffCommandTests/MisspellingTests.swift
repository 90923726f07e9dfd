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
        Misspelling(in: typed(line))
    }

    private func typed(_ line: String) -> TypedCommand {
        TypedCommand(in: line.split(separator: " ").map(String.init), of: HandoffCommand.self)
    }

    // Shows L09.
    @Test(arguments: [
        ("activity publish", "activity publish"), ("--root x activity --json publish --type", "activity publish"),
        ("activity lst", "activity"), ("bogus", ""), ("continue 7", "continue"),
    ]) func usageErrorNamesTheHelpOfTheCommand(line: String, command: String) {
        let failure = CommandFailure(usage: "Missing expected argument '--type <type>'", of: typed(line))
        #expect(failure.advice == "run: \(["handoff", command, "--help"].words)")
        #expect(failure.status == .usage && failure.code == "usage")
    }

    // Shows L09.
    @Test func usageErrorHasTheFormOfOtherErrors() {
        func reason(_ line: String) -> String {
            CommandFailure(usage: "Unexpected argument 'x'", of: typed(line)).reason
        }
        #expect(reason("status x") == "unexpected argument 'x'")
        #expect(reason("stauts") == "unknown command 'stauts'; did you mean 'status'?")
    }
}
