// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct SearchabilityTests {
    private let noon = WallTime(milliseconds: 1_800_000_000_000)
    private var note: ActivityState

    init() throws {
        note = ActivityState(type: try ActivityType("com.example.notes.reading"), isEligibleForSearch: true)
        note.userInfo = try Value.dictionary([
            .string("note"): .signed(7), .string("scroll"): .double(0.5), .signed(3): .null,
        ]).encoded()
    }

    private func related(to item: String, by name: String = "relatedUniqueIdentifier") -> [UInt8] {
        var attributes = ContentAttributes()
        attributes.entries[ExactText(name)] = .string(item)
        return attributes.encoded()
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

    // Shows A17, A26.
    @Test func searchNeedsItsFlagAndATimeToLive() throws {
        var note = note
        #expect(try note.isSearchable(at: noon) { _ in false })
        note.expirationDate = 1_800_000_000 - 978_307_200
        #expect(try !note.isSearchable(at: noon) { _ in false })
        note.expirationDate = 1_800_000_000.001 - 978_307_200
        #expect(try note.isSearchable(at: noon) { _ in false })
        note.expirationDate = .nan
        #expect(try note.isSearchable(at: noon) { _ in false })
        note.isEligibleForSearch = false
        #expect(try !note.isSearchable(at: noon) { _ in false })
    }

    // Shows A20.
    @Test func relatedItemIsNeededAndTakesTheActivityWithIt() throws {
        var note = note
        note.contentAttributes = related(to: "item-7")
        #expect(try note.isSearchable(at: noon) { $0 == "item-7" })
        #expect(try !note.isSearchable(at: noon) { _ in false })
        #expect(try note.goesWithItem("item-7"))
        #expect(try !note.goesWithItem("item-8"))
        note.contentAttributes = related(to: "item-7", by: "weakRelatedUniqueIdentifier")
        #expect(try note.isSearchable(at: noon) { _ in false })
        #expect(try !note.goesWithItem("item-7"))
    }

    // Shows A27.
    @Test func publicIndexingNeedsKeysOrAPage() {
        var note = note
        note.isEligibleForPublicIndexing = true
        #expect(!note.isPubliclyIndexable(at: noon))
        note.requiredUserInfoKeys = []
        #expect(!note.isPubliclyIndexable(at: noon))
        note.requiredUserInfoKeys = ["note"]
        #expect(note.isPubliclyIndexable(at: noon))
        note.requiredUserInfoKeys = nil
        note.webpageURL = "https://example.com/notes/7"
        #expect(note.isPubliclyIndexable(at: noon))
        note.isEligibleForPublicIndexing = false
        #expect(!note.isPubliclyIndexable(at: noon))
    }

    // Shows A28.
    @Test func predictionNeedsTheFlagOfSearchAndToHaveBeenCurrent() {
        var note = note
        #expect(!note.isPredictable(wasCurrent: true, at: noon))
        note.isEligibleForPrediction = true
        #expect(note.isPredictable(wasCurrent: true, at: noon))
        #expect(!note.isPredictable(wasCurrent: false, at: noon))
        note.isEligibleForSearch = false
        #expect(!note.isPredictable(wasCurrent: true, at: noon))
    }
}
