// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Shows W05: the contract of each index.
@Suite struct ActivityIndexTests {
    private let index: any ActivityIndex = MemoryActivityIndex(limits: (ofApp: 3, all: 5))
    private let notes: BundleID
    private let mail: BundleID
    private let start = WallTime(milliseconds: 1_800_000_000_000)

    init() throws {
        notes = try BundleID("com.example.notes")
        mail = try BundleID("com.example.mail")
    }

    private func hour(_ hours: Int64) -> WallTime { start.advanced(by: .seconds(hours * 3600)) }

    private func entry(
        _ title: String, of app: BundleID? = nil, id: String? = nil, domain: String? = nil, item: String? = nil,
        expires: WallTime? = nil
    ) throws -> HistoryEntry {
        var state = ActivityState(
            type: try ActivityType("com.example.reading"), title: title, persistentIdentifier: id,
            isEligibleForSearch: true)
        state.expirationDate = expires.map { Double($0.milliseconds) / 1000 - WallTime.referenceDate }
        var attributes = ContentAttributes()
        attributes.entries["domainIdentifier"] = domain.map { .string(ExactText($0)) }
        attributes.entries["relatedUniqueIdentifier"] = item.map { .string(ExactText($0)) }
        state.contentAttributes = attributes.encoded()
        return try #require(try HistoryEntry(of: state, by: app ?? notes))
    }

    private func titles(_ query: String = "", at now: WallTime? = nil) throws -> [String] {
        try index.found(by: HistoryQuery(query), limit: 10, at: now ?? hour(100)).map(\.entry.title)
    }

    @Test func lastUsedIsListedFirst() throws {
        try index.keep(entry("Eggs", id: "1"), usedAt: hour(0))
        try index.keep(entry("Milk", id: "2"), usedAt: hour(1))
        #expect(try titles() == ["Milk", "Eggs"])
        try index.keep(entry("Brown eggs", id: "1"), usedAt: hour(2))
        #expect(try titles() == ["Brown eggs", "Milk"])
    }

    @Test func titlePrecedesOtherTextAndOftenUsedPrecedesRarelyUsed() throws {
        try index.keep(entry("Egg recipes"), usedAt: hour(0))
        for use in 1...3 { try index.keep(entry("Scrambled eggs"), usedAt: hour(Int64(use))) }
        try index.keep(entry("egg"), usedAt: hour(0))
        #expect(try titles("egg") == ["egg", "Scrambled eggs", "Egg recipes"])
        #expect(try titles("milk") == [])
    }

    @Test func sameKeyInTwoAppsIsTwoEntries() throws {
        try index.keep(entry("Eggs", id: "1"), usedAt: hour(0))
        try index.keep(entry("Milk", of: mail, id: "1"), usedAt: hour(1))
        #expect(try index.remove(.persistent(["1"], of: mail)) == 1)
        #expect(try titles() == ["Eggs"])
    }

    // Shows A35, A36.
    @Test func anAppRemovesItsOwnEntries() throws {
        for (title, id) in [("Eggs", "1"), ("Milk", "2"), ("Tea", "3")] {
            try index.keep(entry(title, id: id), usedAt: hour(0))
        }
        try index.keep(entry("Letter", of: mail, id: "2"), usedAt: hour(0))
        #expect(try index.remove(.persistent(["2", "3", "4"], of: notes)) == 2)
        #expect(try Set(titles()) == ["Eggs", "Letter"])
        #expect(try index.remove(.app(notes)) == 1)
        #expect(try titles() == ["Letter"])
        #expect(try index.remove(.everything) == 1)
    }

    // Shows A20.
    @Test func itemTakesItsEntryAlong() throws {
        try index.keep(entry("Eggs", item: "7"), usedAt: hour(0))
        try index.keep(entry("Milk", item: "8"), usedAt: hour(0))
        #expect(try index.remove(.items(["7", "9"], of: notes)) == 1)
        #expect(try titles() == ["Milk"])
    }

    @Test(arguments: [
        ("home", true), ("home.kitchen", true), ("home.kitchen.fridge", false), ("hom", false), ("home.", false),
        ("", false), ("kitchen", false),
    ])
    func domainIncludesItsSubdomains(removed: String, isGone: Bool) throws {
        try index.keep(entry("Eggs", domain: "home.kitchen"), usedAt: hour(0))
        #expect(try index.remove(.domains([ExactText(removed)], of: mail)) == 0)
        #expect(try index.remove(.domains([ExactText(removed)], of: notes)) == (isGone ? 1 : 0))
    }

    @Test func expiredEntryIsNotFoundAndLaterRemoved() throws {
        try index.keep(entry("Eggs", expires: hour(10)), usedAt: hour(0))
        #expect(try titles(at: hour(9)) == ["Eggs"])
        #expect(try titles(at: hour(10)) == [])
        #expect(try index.removeExpired(at: hour(12), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try index.removeExpired(at: hour(36), unusedFor: .seconds(720 * 3600)) == 1)
    }

    @Test func unusedEntryExpires() throws {
        try index.keep(entry("Eggs"), usedAt: hour(0))
        #expect(try index.removeExpired(at: hour(0), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try index.removeExpired(at: hour(730), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try index.removeExpired(at: hour(760), unusedFor: .seconds(720 * 3600)) == 1)
    }

    // The clock is right again before the next look.
    @Test func clockThatJumpsRemovesNothing() throws {
        try index.keep(entry("Eggs"), usedAt: hour(0))
        for time in [hour(0), hour(9000), hour(1), hour(25), hour(50)] {
            #expect(try index.removeExpired(at: time, unusedFor: .seconds(720 * 3600)) == 0)
        }
        #expect(try titles() == ["Eggs"])
    }

    @Test func overTheLimitsLowestRankIsRemoved() throws {
        for number in 0..<5 { try index.keep(entry("Note \(number)"), usedAt: hour(Int64(number))) }
        #expect(try titles() == ["Note 4", "Note 3", "Note 2"])
        for number in 0..<3 { try index.keep(entry("Letter \(number)", of: mail), usedAt: hour(Int64(number))) }
        #expect(try titles().count == 5)
        #expect(try !titles().contains("Letter 0"))
    }
}
