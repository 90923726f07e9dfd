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

    @Test func placeOfAGroupLeavesOutTheDashesAroundIt() {
        #expect(form.place(of: 1, in: code) == 8..<15)
        #expect(form.place(of: 1, in: code.replacing("-", with: "")) == 7..<14)
        #expect(form.place(of: 3, in: "short") == 0..<5)
    }
}
