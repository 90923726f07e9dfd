// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Codes and keys while they are typed. Shows L10, T02.
@Suite struct CheckedGroupsTests {
    private let form = CheckedGroups.inviteCode
    private var code: String { form.text([UInt8](repeating: 0x5A, count: 15)) }

    @Test func firstWrongGroupIsFoundBeforeTheOthersAreTyped() {
        var wrong = Array(code)
        wrong[9] = wrong[9] == "A" ? "B" : "A"
        #expect(form.mistypedGroup(in: code) == nil)
        #expect(form.mistypedGroup(in: String(wrong)) == 1)
        #expect(form.mistypedGroup(in: String(wrong.prefix(15))) == 1)
        #expect(form.mistypedGroup(in: String(wrong.prefix(14))) == nil)
        #expect(form.mistypedGroup(in: code.lowercased().replacing("-", with: " ")) == nil)
    }

    /// What notes, chats and keyboards make of a code. MycroftAI/mycroft-core#429.
    @Test(arguments: [
        ("-", "\u{2013}"), ("-", "\u{2011}"), ("-", "\u{2212}"), ("-", "\u{A0}"), ("-", "\u{AD}"), ("-", "\u{200B}."),
        ("-", "\r\n"), ("I", "1"), ("I", "\u{131}"), ("I", "\u{130}"), ("I", "i"),
    ])
    func codeThatOtherProgramsHaveChangedIsRead(_ written: String, _ changed: String) throws {
        let bytes = [UInt8](repeating: 0x42, count: 15)
        let code = form.text(bytes)
        #expect(code.contains(written))
        let copied = "\u{200E}\u{201C}\(code.replacing(written, with: changed))\u{201D}"
        #expect(try form.parse(copied, noun: "code") == bytes)
        #expect(form.place(of: 0, in: copied) == 2..<9)
    }

    @Test func codeInFullWidthIsReadAndWrongLettersAreCountedOnce() throws {
        let bytes = [UInt8](repeating: 0x5A, count: 15)
        let scalars = code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) }
        let wide = String(String.UnicodeScalarView(scalars))
        #expect(try form.parse(wide, noun: "code") == bytes)
        let wrong = #expect(throws: WireError.self) { try form.parse("\u{416}\u{4E2D}", noun: "code") }
        #expect(wrong?.reason.contains("but 2 were entered") == true)
    }

    @Test func placeOfAGroupLeavesOutTheDashesAroundIt() {
        #expect(form.place(of: 1, in: code) == 8..<15)
        #expect(form.place(of: 1, in: code.replacing("-", with: "")) == 7..<14)
        #expect(form.place(of: 3, in: "short") == 0..<5)
    }
}
