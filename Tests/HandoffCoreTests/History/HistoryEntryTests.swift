// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows W05: the kept parts of an activity, and its key.
@Suite struct HistoryEntryTests {
    private let app: BundleID
    private var note: ActivityState

    init() throws {
        app = try BundleID("com.example.notes")
        note = ActivityState(
            type: try ActivityType("com.example.notes.reading"), title: "Groceries", isEligibleForSearch: true)
        note.userInfo = try Value.dictionary([.string("note"): .signed(7), .string("scroll"): .double(0.5)]).encoded()
    }

    private func attributes(_ entries: [ExactText: Value]) -> [UInt8] {
        var attributes = ContentAttributes()
        attributes.entries = entries
        return attributes.encoded()
    }

    private func key(_ change: (inout ActivityState) -> Void) throws -> HistoryKey? {
        var note = note
        change(&note)
        return try HistoryEntry(of: note, by: app)?.key
    }

    @Test func ineligibleActivityIsNotKept() throws {
        var note = note
        note.isEligibleForSearch = false
        #expect(try HistoryEntry(of: note, by: app) == nil)
    }

    @Test func activityWithoutWordsIsNotKept() throws {
        var note = note
        note.title = nil
        #expect(try HistoryEntry(of: note, by: app) == nil)
        note.keywords = ["food"]
        #expect(try HistoryEntry(of: note, by: app)?.words.others == [["food"], []])
        note.keywords = []
        note.contentAttributes = attributes(["displayName": .string("Groceries")])
        #expect(try HistoryEntry(of: note, by: app)?.title == "Groceries")
    }

    // Shows A10.
    @Test func onlyRequiredKeysAreKept() throws {
        var note = note
        note.requiredUserInfoKeys = ["note"]
        #expect(
            try HistoryEntry(of: note, by: app)?.userInfo == Value.dictionary([.string("note"): .signed(7)]).encoded())
        note.requiredUserInfoKeys = []
        #expect(try HistoryEntry(of: note, by: app)?.userInfo == Value.dictionary([:]).encoded())
    }

    // Shows A20.
    @Test func attributesAreFoundByTheirNames() throws {
        var note = note
        note.contentAttributes = attributes([
            "alternateNames": .array([.string("shopping"), .signed(3)]), "contentDescription": .string("eggs"),
            "textContent": .string("milk"), "domainIdentifier": .string("home.kitchen"),
            "relatedUniqueIdentifier": .string("item-7"),
        ])
        let entry = try #require(try HistoryEntry(of: note, by: app))
        #expect(entry.words.others == [["shopping"], ["eggs", "milk"]])
        #expect(entry.domain == "home.kitchen" && entry.relatedItem == "item-7" && entry.key == .item("item-7"))
    }

    @Test func addressWithAPasswordIsNotKept() throws {
        var note = note
        note.webpageURL = "https://anna:secret@example.com/notes"
        let entry = try #require(try HistoryEntry(of: note, by: app))
        #expect(entry.webpageURL == nil)
        #expect(!"\(entry)".contains("secret"))
        note.webpageURL = "https://example.com/notes"
        #expect(try HistoryEntry(of: note, by: app)?.webpageURL == note.webpageURL)
    }

    @Test func stateOverTheLimitIsKeptByItsPageAlone() throws {
        var note = note
        let large = String(repeating: "a", count: HistoryLimits.stateBytes)
        note.userInfo = try Value.dictionary([.string("note"): .string(ExactText(large))]).encoded()
        #expect(try HistoryEntry(of: note, by: app) == nil)
        note.webpageURL = "https://example.com/notes"
        #expect(try HistoryEntry(of: note, by: app)?.userInfo == [])
    }

    @Test func textIsCutAtACharacterAndWordsAtTheirNumber() throws {
        var note = note
        note.title = String(repeating: "a", count: HistoryLimits.wordBytes - 1) + "é"
        note.keywords = Array(repeating: "é", count: HistoryLimits.words + 1)
        note.contentAttributes = attributes(["textContent": .string(ExactText(String(repeating: "é", count: 3000)))])
        let entry = try #require(try HistoryEntry(of: note, by: app))
        #expect(entry.title == String(repeating: "a", count: HistoryLimits.wordBytes - 1))
        #expect(entry.words.others.count == HistoryLimits.words + 1)
        #expect(entry.words.others.last?.joined() == String(repeating: "e", count: HistoryLimits.textBytes / 2))
    }

    @Test func firstIdentifierOfAnActivityIsItsKey() throws {
        #expect(try key { _ in } == key { $0.keywords = ["food"] })
        #expect(try key { _ in } != key { $0.title = "Groceries 2" })
        let page = try key { $0.webpageURL = "https://example.com/7" }
        #expect(page == .page("https://example.com/7"))
        func target(_ note: inout ActivityState) {
            note.webpageURL = "https://example.com/7"
            note.targetContentIdentifier = "note/7"
        }
        #expect(try key(target) == .target("note/7"))
        #expect(
            try key {
                target(&$0)
                $0.persistentIdentifier = "7"
            } == .persistent("7"))
    }

    /// The order of a dictionary differs from run to run.
    @Test func requiredKeysInAnyOrderAreTheSameKey() throws {
        var other = note
        other.userInfo = try Value.dictionary([.string("scroll"): .double(0.5), .string("note"): .signed(7)]).encoded()
        #expect(try HistoryEntry(of: note, by: app)?.key == HistoryEntry(of: other, by: app)?.key)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, -1e300])
    func absurdExpirationDateIsIgnored(date: Double) throws {
        var note = note
        note.expirationDate = date
        #expect(try HistoryEntry(of: note, by: app)?.expires == nil)
    }

    /// An app could otherwise fill the disk.
    @Test func activityWithATooLongIdentifierIsNotKept() throws {
        let (longest, tooLong) = (String(repeating: "a", count: 1024), String(repeating: "a", count: 1025))
        for (name, isKept) in [(longest, true), (tooLong, false)] {
            for change in [\ActivityState.persistentIdentifier, \.targetContentIdentifier] {
                var state = ActivityState(type: .browsingWeb, title: "Letter", isEligibleForSearch: true)
                state[keyPath: change] = name
                #expect((try HistoryEntry(of: state, by: BundleID("com.example.notes")) != nil) == isKept)
            }
            var state = ActivityState(type: .browsingWeb, title: "Letter", isEligibleForSearch: true)
            var attributes = ContentAttributes()
            attributes.entries["domainIdentifier"] = .string(ExactText(name))
            state.contentAttributes = attributes.encoded()
            #expect((try HistoryEntry(of: state, by: BundleID("com.example.notes")) != nil) == isKept)
        }
    }

    @Test func dateOfExpiryIsKept() throws {
        var note = note
        note.expirationDate = 1_800_000_000 - 978_307_200
        #expect(try HistoryEntry(of: note, by: app)?.expires == WallTime(milliseconds: 1_800_000_000_000))
    }

    @Test func contentThatCannotBeReadIsAnError() {
        var note = note
        note.userInfo = [0xFF]
        #expect(throws: WireError(.malformed, "")) { try HistoryEntry(of: note, by: app) }
        note.userInfo = []
        note.contentAttributes = [0xFF]
        #expect(throws: WireError(.malformed, "")) { try HistoryEntry(of: note, by: app) }
    }
}
