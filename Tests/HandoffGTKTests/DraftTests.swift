// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Testing

@testable import TextEditor

/// The data that the text editor sends, and the data that it accepts.
@Suite @MainActor struct DraftTests {
    private let id = UUID()
    private let place = Place(cursor: 7, anchor: 3, top: 1)

    @Test func aTextRoundTripsWithItsPlace() throws {
        let draft = Draft(document: id, name: "letter.txt", text: "Dear Anna", place: place)
        #expect(draft.text == "Dear Anna" && draft.isSensible)
        let activity = NSUserActivity(activityType: TextDocument.activityType)
        try activity.setTypedPayload(draft)
        #expect(try activity.typedPayload(Draft.self) == draft)
    }

    @Test func aTextThatIsTooLongStaysInItsFile() {
        let longest = String(repeating: "a", count: Draft.textBytes)
        #expect(Draft(document: id, name: "a", text: longest, place: place).text == longest)
        let longer = Draft(document: id, name: "a", text: longest + "a", place: place)
        #expect(longer.text == nil && longer.isSensible && longer.place == place)
    }

    @Test func inconsistentDraftIsNotSensible() {
        var draft = Draft(document: id, name: "a", text: "b", place: place)
        draft.version += 1
        #expect(!draft.isSensible)
        draft = Draft(document: id, name: String(repeating: "a", count: Draft.nameBytes + 1), text: "b", place: place)
        #expect(!draft.isSensible)
        draft = Draft(document: id, name: "a", text: "b\0c", place: place)
        #expect(!draft.isSensible)
        draft = Draft(document: id, name: "a", text: "b", place: place)
        draft.text = String(repeating: "a", count: Draft.textBytes + 1)
        #expect(!draft.isSensible)
    }
}
