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
    @Test(arguments: IndexKind.allCases) func itemTakesItsEntryAlong(kind: IndexKind) throws {
        let tested = try TestedIndex(kind)
        try tested.index.keep(tested.entry("Eggs", item: "7"), usedAt: tested.hour(0))
        try tested.index.keep(tested.entry("Milk", item: "8"), usedAt: tested.hour(0))
        #expect(try tested.index.remove(.items(["7", "9"], of: tested.notes)) == 1)
        #expect(try tested.titles() == ["Milk"])
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
        #expect(try tested.index.remove(.domains([ExactText(removed)], of: tested.mail)) == 0)
        #expect(try tested.index.remove(.domains([ExactText(removed)], of: tested.notes)) == (isGone ? 1 : 0))
    }

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
