// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows T02, X06.

@Suite struct InviteCodeTests {
    let code = InviteCode()

    @Test func isFourGroupsOfSeven() {
        let groups = code.text.split(separator: "-")
        #expect(groups.map(\.count) == [7, 7, 7, 7])
    }

    @Test func comesBackFromItsText() throws {
        for _ in 0..<1000 {
            let code = InviteCode()
            #expect(try InviteCode(text: code.text) == code)
        }
    }

    @Test func readingForgivesCaseBlanksAndLookalikes() throws {
        var text = code.text.lowercased().replacing("-", with: " ")
        text = text.replacing("o", with: "0").replacing("i", with: "1").replacing("b", with: "8")
        #expect(try InviteCode(text: "  \(text)\n") == code)
        #expect(try InviteCode(text: code.text.replacing("-", with: "")) == code)
    }

    @Test func everyWrongCharacterIsNoticedAndItsGroupNamed() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let characters = Array(code.text)
        for index in characters.indices where characters[index] != "-" {
            for wrong in alphabet where wrong != characters[index] {
                var typed = characters
                typed[index] = wrong
                let error = #expect(throws: WireError.self) { try InviteCode(text: String(typed)) }
                #expect(error?.reason == "the code is mistyped in group \(index / 8 + 1) of 4")
            }
        }
    }

    @Test(arguments: ["", " ", "\n"]) func aCodeEnteredTwiceIsRefusedAsSuch(between: String) {
        let error = #expect(throws: WireError.self) { try InviteCode(text: code.text + between + code.text) }
        #expect(error?.reason == "the code was entered twice; enter it once")
    }

    @Test func wrongLengthIsNoticed() {
        for text in ["", "ABC", code.text + "A", String(code.text.dropLast()), String(repeating: "A", count: 100_000)] {
            #expect(throws: WireError(.badIdentifier, "")) { try InviteCode(text: text) }
        }
    }

    @Test func nonsenseIsNoticed() {
        var random = Randomness.seeded(1)
        for _ in 0..<1000 {
            let text = String(decoding: (0..<28).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
            // One in a million may be a valid code; none may trap.
            _ = try? InviteCode(text: text)
        }
    }

    @Test func printsWithoutTheSecret() { #expect("\(code)" == "invite code") }

    @Test func noTwoAreAlike() { #expect(Set((0..<1000).map { _ in InviteCode() }).count == 1000) }
}

@Suite struct InviteProofTests {
    let code = InviteCode()
    let joiner = Devices.phone.id
    let member = Devices.laptop.id
    let other = Devices.strangersPhone.id

    var proof: InviteProof { InviteProof(code: code, joiner: joiner, member: member) }

    @Test func rightProofHolds() {
        #expect(proof.isValid(proof.bytes(.joiner), from: .joiner))
        #expect(proof.isValid(proof.bytes(.member), from: .member))
        #expect(proof.bytes(.joiner).count == 32)
    }

    @Test func proofOfAnotherCodeDoesNotHold() {
        let guess = InviteProof(code: InviteCode(), joiner: joiner, member: member)
        #expect(!proof.isValid(guess.bytes(.joiner), from: .joiner))
    }

    /// A man in the middle shows its own key to each side.
    @Test func proofIsWorthNothingOnAConnectionWithAnotherKey() {
        let fromJoiner = InviteProof(code: code, joiner: joiner, member: other).bytes(.joiner)
        #expect(!proof.isValid(fromJoiner, from: .joiner))
        let fromMember = InviteProof(code: code, joiner: other, member: member).bytes(.member)
        #expect(!proof.isValid(fromMember, from: .member))
    }

    @Test func proofCannotBeSentBack() {
        #expect(!proof.isValid(proof.bytes(.joiner), from: .member))
        #expect(!proof.isValid(proof.bytes(.member), from: .joiner))
        let swapped = InviteProof(code: code, joiner: member, member: joiner)
        #expect(!proof.isValid(swapped.bytes(.joiner), from: .joiner))
    }

    @Test func everyFlippedBitAndEveryOtherLengthIsRefused() {
        let right = proof.bytes(.joiner)
        for bit in 0..<256 {
            var wrong = right
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!proof.isValid(wrong, from: .joiner))
        }
        for length in 0..<32 { #expect(!proof.isValid(Array(right.prefix(length)), from: .joiner)) }
        #expect(!proof.isValid(right + [0], from: .joiner))
    }
}
