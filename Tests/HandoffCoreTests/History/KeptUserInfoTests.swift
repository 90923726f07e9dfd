// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct KeptUserInfoTests {
    private var note: ActivityState

    init() throws {
        note = ActivityState(type: try ActivityType("com.example.notes.reading"), isEligibleForSearch: true)
        note.userInfo = try Value.dictionary([
            .string("note"): .signed(7), .string("scroll"): .double(0.5), .signed(3): .null,
        ]).encoded()
    }

    // Shows A09.
    @Test func withoutRequiredKeysAllAreKept() throws {
        var note = note
        #expect(try note.keptUserInfo()?.count == 3)
        // A page has no effect on the keys.
        note.webpageURL = "https://example.com/notes/7"
        #expect(try note.keptUserInfo()?.count == 3)
        note.userInfo = []
        #expect(try note.keptUserInfo() == nil)
    }

    // Shows A10.
    @Test func onlyRequiredKeysAreKept() throws {
        var note = note
        note.requiredUserInfoKeys = ["note", "missing"]
        #expect(try note.keptUserInfo() == [.string("note"): .signed(7)])
        note.requiredUserInfoKeys = []
        #expect(try note.keptUserInfo() == [:])
    }

    @Test func aRequiredKeyIsKeptInEitherSpelling() throws {
        var note = note
        note.userInfo = try Value.dictionary([.string("caf\u{E9}"): .signed(1)]).encoded()
        note.requiredUserInfoKeys = ["cafe\u{301}"]
        #expect(try note.keptUserInfo()?.count == 1)
    }

    @Test func userInfoThatCannotBeReadIsAnError() throws {
        var note = note
        note.userInfo = [0xFF]
        #expect(throws: WireError(.malformed, "")) { try note.keptUserInfo() }
        note.userInfo = try Value.array([]).encoded()
        #expect(throws: WireError(.malformed, "")) { try note.keptUserInfo() }
    }
}
