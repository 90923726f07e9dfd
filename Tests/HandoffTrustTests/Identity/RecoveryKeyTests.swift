// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows T01, T05.

@Suite struct RecoveryKeyTests {
    let key = RecoveryKey()

    @Test func isEightGroupsOfFive() {
        #expect(key.text.split(separator: "-").map(\.count) == [Int](repeating: 5, count: 8))
    }

    @Test func comesBackFromItsText() throws {
        for _ in 0..<200 {
            let key = RecoveryKey()
            let again = try RecoveryKey(text: key.text)
            #expect(again.text == key.text)
            #expect(again.account == key.account)
        }
    }

    @Test func readingForgivesCaseBlanksAndLookalikes() throws {
        var text = key.text.lowercased().replacing("-", with: " ")
        text = text.replacing("o", with: "0").replacing("i", with: "1").replacing("b", with: "8")
        #expect(try RecoveryKey(text: "  \(text)\n").account == key.account)
    }

    @Test func everyWrongCharacterIsNoticedAndItsGroupNamed() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let characters = Array(key.text)
        for index in characters.indices where characters[index] != "-" {
            for wrong in alphabet where wrong != characters[index] {
                var typed = characters
                typed[index] = wrong
                let error = #expect(throws: WireError.self) { try RecoveryKey(text: String(typed)) }
                #expect(error?.reason == "the recovery key is mistyped in group \(index / 6 + 1) of 8")
            }
        }
    }

    @Test func groupsInAnotherOrderAreNoticed() throws {
        let groups = key.text.split(separator: "-").map(String.init)
        for one in groups.indices {
            for other in groups.indices where groups[one] != groups[other] {
                var typed = groups
                typed.swapAt(one, other)
                #expect(throws: WireError(.badIdentifier, "")) {
                    try RecoveryKey(text: typed.joined(separator: "-"))
                }
            }
        }
    }

    @Test func wrongLengthAndNonsenseAreNoticed() {
        for text in ["", "ABC", key.text + "A", String(key.text.dropLast()), InviteCode().text] {
            #expect(throws: WireError(.badIdentifier, "")) { try RecoveryKey(text: text) }
        }
        var random = Randomness.seeded(1)
        for _ in 0..<1000 {
            let text = String(decoding: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
            #expect(throws: WireError.self) { try RecoveryKey(text: text) }
        }
    }

    @Test func printsWithoutTheSecret() { #expect("\(key)" == "recovery key") }
}
