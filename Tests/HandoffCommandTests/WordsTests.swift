// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCommand

@Suite struct WordsTests {
    @Test func emptyValuesLeaveNoBlanks() {
        #expect(["Notes", "1.0"].words == "Notes 1.0")
        #expect(["Notes", ""].words == "Notes")
        #expect(["", ""].words == "")
    }
}
