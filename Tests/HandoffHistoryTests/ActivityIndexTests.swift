// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffHistory
import HandoffTesting
import HandoffWire
import Testing

/// Shows W05: the contract of each index.
@Suite struct ActivityIndexTests {
    @Test(arguments: IndexKind.allCases) func lastUsedIsListedFirst(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs", id: "1"), usedAt: tested.hour(0))
        try tested.index.keep(tested.entry("Milk", id: "2"), usedAt: tested.hour(1))
        #expect(try tested.titles() == ["Milk", "Eggs"])
        try tested.index.keep(tested.entry("Brown eggs", id: "1"), usedAt: tested.hour(2))
        #expect(try tested.titles() == ["Brown eggs", "Milk"])
    }

    @Test(arguments: IndexKind.allCases) func titlePrecedesOtherTextAndOftenUsedPrecedesRarelyUsed(kind: IndexKind)
        throws
    {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Egg recipes"), usedAt: tested.hour(0))
        for use in 1...3 { try tested.index.keep(tested.entry("Scrambled eggs"), usedAt: tested.hour(Int64(use))) }
        try tested.index.keep(tested.entry("egg"), usedAt: tested.hour(0))
        #expect(try tested.titles("egg") == ["egg", "Scrambled eggs", "Egg recipes"])
        #expect(try tested.titles("milk") == [])
    }

    @Test(arguments: IndexKind.allCases) func sameKeyInTwoAppsIsTwoEntries(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs", id: "1"), usedAt: tested.hour(0))
        try tested.index.keep(tested.entry("Milk", of: tested.mail, id: "1"), usedAt: tested.hour(1))
        #expect(try tested.index.remove(.persistent(["1"], of: tested.mail)) == 1)
        #expect(try tested.titles() == ["Eggs"])
    }

    // Shows A35, A36.
    @Test(arguments: IndexKind.allCases) func anAppRemovesItsOwnEntries(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        for (title, id) in [("Eggs", "1"), ("Milk", "2"), ("Tea", "3")] {
            try tested.index.keep(tested.entry(title, id: id), usedAt: tested.hour(0))
        }
        try tested.index.keep(tested.entry("Letter", of: tested.mail, id: "2"), usedAt: tested.hour(0))
        #expect(try tested.index.remove(.persistent(["2", "3", "4"], of: tested.notes)) == 2)
        #expect(try Set(tested.titles()) == ["Eggs", "Letter"])
        #expect(try tested.index.remove(.app(tested.notes)) == 1)
        #expect(try tested.titles() == ["Letter"])
        #expect(try tested.index.remove(.everything) == 1)
    }

    // Shows A20.
    @Test(arguments: IndexKind.allCases) func activityAboutAnItemIsAUseOfTheItem(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        #expect(try !tested.index.keep(tested.entry("Reading about eggs", item: "7"), usedAt: tested.hour(0)))
        #expect(try tested.titles("eggs") == [], "the item is unknown")
        try tested.put(tested.item("Eggs", id: "7"), tested.item("Egg recipes", id: "8"))
        #expect(try tested.titles() == [], "an item that was not used is found by its words alone")
        #expect(try tested.index.keep(tested.entry("Reading about eggs", item: "8"), usedAt: tested.hour(1)))
        #expect(try tested.titles() == ["Egg recipes"])
        #expect(try tested.titles("e") == ["Egg recipes", "Eggs"])
        let found = try tested.index.found(by: HistoryQuery("recipes"), limit: 1, at: tested.hour(2)).first?.entry
        #expect(found?.isItem == true && found?.state.type == .searchableItem)
    }

    @Test(arguments: IndexKind.allCases) func deletedItemTakesItsUsesAlong(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.put(tested.item("Eggs", id: "7"), tested.item("Milk", id: "8"))
        try tested.index.keep(tested.entry("Reading about eggs", item: "7"), usedAt: tested.hour(0))
        #expect(try tested.index.remove(.items(["7", "9"], of: tested.mail)) == 0)
        #expect(try tested.index.remove(.items(["7", "9"], of: tested.notes)) == 1)
        #expect(try tested.titles("e") == [])
        #expect(try tested.titles("m") == ["Milk"])
    }

    @Test(arguments: IndexKind.allCases) func indexedAgainAnItemKeepsItsNumberAndUses(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.put(tested.item("Eggs", id: "7"), tested.item("Egg soup", id: "8"))
        try tested.index.keep(tested.entry("Reading", item: "7"), usedAt: tested.hour(1))
        let number = try tested.index.found(by: HistoryQuery("eggs"), limit: 1, at: tested.hour(2)).first?.number
        try tested.put(tested.item("Egg pie", id: "7"))
        let again = try tested.index.found(by: HistoryQuery("egg"), limit: 2, at: tested.hour(2))
        #expect(again.map(\.entry.title) == ["Egg pie", "Egg soup"] && again.first?.number == number)
        #expect(try tested.titles("eggs") == [])
    }

    @Test(arguments: IndexKind.allCases) func updateOfAnUnknownItemIsIgnored(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.put(tested.item("Eggs", id: "7"), isUpdate: true)
        #expect(try tested.titles("eggs") == [])
        try tested.put(tested.item("Eggs", id: "7"))
        try tested.put(tested.item("Milk", id: "7"), isUpdate: true)
        #expect(try tested.titles("milk") == ["Milk"])
    }

    @Test(arguments: IndexKind.allCases) func itemsAndActivitiesAreDeletedSeparately(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.put(tested.item("Egg item", id: "7"))
        try tested.index.keep(tested.entry("Egg activity"), usedAt: tested.hour(0))
        #expect(try tested.index.remove(.allItems(of: tested.notes)) == 1)
        #expect(try tested.titles("egg") == ["Egg activity"])
        try tested.put(tested.item("Egg item", id: "7"))
        #expect(try tested.index.remove(.activities(of: tested.notes)) == 1)
        #expect(try tested.titles("egg") == ["Egg item"])
    }

    @Test(arguments: IndexKind.allCases) func clientStateIsStoredWithItsChanges(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        let (index, notes) = (tested.index, tested.notes)
        #expect(try index.clientState(of: notes, index: "a") == [])
        let changes: [HistoryChange] = [
            .put(try tested.item("Eggs", id: "7"), isUpdate: false), .remove(.items(["7"], of: notes)),
            .put(try tested.item("Milk", id: "8"), isUpdate: false),
        ]
        try index.change(changes, by: notes, state: HistoryClientState([1], of: "a"), at: tested.hour(0))
        try index.change([], by: notes, state: HistoryClientState([2], of: "b"), at: tested.hour(0))
        #expect(try index.clientState(of: notes, index: "a") == [1])
        #expect(try index.clientState(of: notes, index: "b") == [2])
        #expect(try index.clientState(of: tested.mail, index: "a") == [])
        #expect(try tested.titles("e") == [] && tested.titles("milk") == ["Milk"])
        try index.remove(.app(notes))
        #expect(try index.clientState(of: notes, index: "a") == [])
    }

    @Test(
        arguments: IndexKind.allCases,
        [
            ("home", true), ("home.kitchen", true), ("home.kitchen.fridge", false), ("hom", false), ("home.", false),
            ("", false), ("kitchen", false),
        ])
    func domainIncludesItsSubdomains(kind: IndexKind, removal: (removed: String, isGone: Bool)) throws {
        let tested = try TestedIndex(kind)
        let (removed, isGone) = removal
        try tested.index.keep(tested.entry("Eggs", domain: "home.kitchen"), usedAt: tested.hour(0))
        try tested.put(tested.item("Egg item", id: "7", domain: "home.kitchen"))
        #expect(try tested.index.remove(.domains([ExactText(removed)], of: tested.mail)) == 0)
        #expect(try tested.index.remove(.domains([ExactText(removed)], of: tested.notes)) == (isGone ? 2 : 0))
    }

    // Shows A17.
    @Test(arguments: IndexKind.allCases) func expiredEntryIsNotFoundAndLaterRemoved(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs", expires: tested.hour(10)), usedAt: tested.hour(0))
        #expect(try tested.titles(at: tested.hour(9)) == ["Eggs"])
        #expect(try tested.titles(at: tested.hour(10)) == [])
        #expect(try tested.index.removeExpired(at: tested.hour(12), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try tested.index.removeExpired(at: tested.hour(36), unusedFor: .seconds(720 * 3600)) == 1)
    }

    @Test(arguments: IndexKind.allCases) func unusedEntryExpires(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs"), usedAt: tested.hour(0))
        #expect(try tested.index.removeExpired(at: tested.hour(0), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try tested.index.removeExpired(at: tested.hour(730), unusedFor: .seconds(720 * 3600)) == 0)
        #expect(try tested.index.removeExpired(at: tested.hour(760), unusedFor: .seconds(720 * 3600)) == 1)
    }

    // The clock is right again before the next look.
    @Test(arguments: IndexKind.allCases) func clockThatJumpsRemovesNothing(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs"), usedAt: tested.hour(0))
        for time in [tested.hour(0), tested.hour(9000), tested.hour(1), tested.hour(25), tested.hour(50)] {
            #expect(try tested.index.removeExpired(at: time, unusedFor: .seconds(720 * 3600)) == 0)
        }
        #expect(try tested.titles() == ["Eggs"])
    }

    @Test(arguments: IndexKind.allCases) func latestTransfersAreListed(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        for _ in 0..<2 { try tested.index.add(tested.transfer("Eggs", at: tested.hour(0))) }
        try tested.index.add(tested.transfer("Milk", at: tested.hour(0)))
        try tested.index.add(tested.transfer("Eggs", at: tested.hour(1)))
        #expect(try tested.transferred() == ["Eggs", "Milk", "Eggs"])
        #expect(try tested.titles() == [])
        for number in 1...HistoryLimits.transfers {
            try tested.index.add(tested.transfer("\(number)", at: tested.hour(2)))
        }
        #expect(try tested.index.transfers().count == HistoryLimits.transfers)
        #expect(try tested.index.transfers().last?.title?.text == "1")
        #expect(try tested.index.remove(.transfers) == HistoryLimits.transfers)
        #expect(try tested.transferred() == [])
    }

    @Test(arguments: IndexKind.allCases) func transferExpiresAfterAMonth(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.add(tested.transfer("Eggs", at: tested.hour(0)))
        for day in [29, 30, 31] as [Int64] {
            try tested.index.removeExpired(at: tested.hour(day * 24), unusedFor: HistoryLimits.unused)
            #expect(try tested.transferred() == (day < 31 ? ["Eggs"] : []))
        }
    }

    // Shows A35, A36.
    @Test(arguments: IndexKind.allCases) func titleOfATransferIsRemovedWithItsEntry(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        func remaining(after removal: HistoryRemoval) throws -> [String?] {
            try tested.index.remove(.everything)
            try tested.index.keep(tested.entry("Eggs", id: "1"), usedAt: tested.hour(0))
            try tested.put(tested.item("Milk", id: "7", domain: "food"))
            try tested.index.add(tested.transfer("Eggs", at: tested.hour(0)))
            try tested.index.add(tested.transfer("Milk", at: tested.hour(1)))
            try tested.index.add(tested.transfer("Tea", at: tested.hour(2), id: "3"))
            try tested.index.add(tested.transfer("Eggs", at: tested.hour(3), of: tested.mail))
            try tested.index.remove(removal)
            return try tested.transferred().reversed()
        }
        let notes = tested.notes
        #expect(try remaining(after: .persistent(["1"], of: notes)) == [nil, "Milk", "Tea", "Eggs"])
        #expect(try remaining(after: .persistent(["3"], of: notes)) == ["Eggs", "Milk", nil, "Eggs"])
        #expect(try remaining(after: .activities(of: notes)) == [nil, nil, nil, "Eggs"])
        #expect(try remaining(after: .items(["7"], of: notes)) == ["Eggs", nil, "Tea", "Eggs"])
        #expect(try remaining(after: .domains(["food"], of: notes)) == ["Eggs", nil, "Tea", "Eggs"])
        #expect(try remaining(after: .allItems(of: notes)) == ["Eggs", nil, "Tea", "Eggs"])
        #expect(try remaining(after: .app(notes)) == ["Eggs"])
        #expect(try remaining(after: .everything) == [])
        try tested.index.keep(tested.entry("Eggs", id: "1"), usedAt: tested.hour(0))
        try tested.index.add(tested.transfer("Eggs", at: tested.hour(0)))
        let number = try #require(tested.index.found(by: HistoryQuery(""), limit: 1, at: tested.hour(0)).first?.number)
        #expect(try tested.index.remove(.entries([number])) == 1)
        #expect(try tested.transferred() == [nil])
    }

    @Test(arguments: IndexKind.allCases) func overTheLimitsLowestRankIsRemoved(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        for number in 0..<5 {
            try tested.index.keep(tested.entry("Note \(number)"), usedAt: tested.hour(Int64(number)))
        }
        #expect(try tested.titles() == ["Note 4", "Note 3", "Note 2"])
        for number in 0..<3 {
            try tested.index.keep(tested.entry("Letter \(number)", of: tested.mail), usedAt: tested.hour(Int64(number)))
        }
        #expect(try tested.titles().count == 5)
        #expect(try !tested.titles().contains("Letter 0"))
    }
}
