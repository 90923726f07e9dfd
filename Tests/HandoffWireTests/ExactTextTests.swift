// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct ExactTextTests {
    /// Equal as `String`.
    static let equivalent = [
        ("K", "\u{212A}"), ("\u{E9}", "e\u{301}"), (";", "\u{37E}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ]

    @Test(arguments: equivalent)
    func equivalentTextsDiffer(one: String, other: String) {
        #expect(one == other)
        #expect(ExactText(one) != ExactText(other))
        #expect(ExactText(one) == ExactText(one + ""))
        #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
        #expect((ExactText(one) < ExactText(other)) != (ExactText(other) < ExactText(one)))
    }

    @Test func hashDiffersForEquivalentTexts() {
        #expect(ExactText("K").hashValue != ExactText("\u{212A}").hashValue)
        #expect(ExactText("K").hashValue == ExactText(["K"].joined()).hashValue)
    }

    @Test func activityTypesAreComparedByteForByte() throws {
        let type = try ActivityType("com.example.Kite"), other = try ActivityType("com.example.\u{212A}ite")
        #expect(type != other)
        #expect(Set([type, other]).count == 2)
        #expect(type < other)
    }
}
