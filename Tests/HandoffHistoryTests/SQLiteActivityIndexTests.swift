// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HandoffCore
import HandoffHistory
import HandoffWire
import Testing

/// Shows W05: what only a file can do.
@Suite struct SQLiteActivityIndexTests {
    private let folder = HistoryFolder()
    private let app: BundleID
    private let now = WallTime(milliseconds: 1_800_000_000_000)

    init() throws { app = try BundleID("com.example.notes") }

    private func entry(_ title: String, text: String = "", id: String? = nil, keywords: [String] = []) throws
        -> HistoryEntry
    {
        var state = ActivityState(
            type: try ActivityType("com.example.reading"), title: title, persistentIdentifier: id, keywords: keywords,
            isEligibleForSearch: true)
        var attributes = ContentAttributes()
        attributes.entries["textContent"] = .string(ExactText(text))
        state.contentAttributes = attributes.encoded()
        return try #require(try HistoryEntry(of: state, by: app))
    }

    private func titles(_ query: String, in index: SQLiteActivityIndex) throws -> [String] {
        try index.found(by: HistoryQuery(query), limit: 10, at: now).map(\.entry.title)
    }

    @Test func entriesSurviveClosing() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs"), usedAt: now)
        let number = try #require(try index.found(by: HistoryQuery("egg"), limit: 1, at: now).first?.number)
        index.close()
        let again = try SQLiteActivityIndex(path: folder.file)
        #expect(try titles("egg", in: again) == ["Eggs"])
        #expect(try again.entry(number)?.title == "Eggs")
        #expect(again.takeNotice() == nil)
    }

    @Test func numberStaysWithAnEntryAndIsNeverUsedAgain() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        func number(_ query: String) throws -> HistoryNumber? {
            try index.found(by: HistoryQuery(query), limit: 1, at: now).first?.number
        }
        try index.keep(entry("Eggs", id: "1"), usedAt: now)
        let first = try #require(try number("eggs"))
        try index.keep(entry("Milk", id: "1"), usedAt: now.advanced(by: .seconds(3600)))
        #expect(try number("milk") == first)
        try index.remove(.entries([first]))
        try index.keep(entry("Eggs", id: "1"), usedAt: now)
        #expect(try number("eggs") != first)
    }

    @Test(arguments: [
        "Die Straße nach Köln|strasse", "東京の喫茶店|喫茶", "我们的咖啡馆|咖啡", "서울의 커피숍|커피", "Ο δρόμος|δρομος",
        "שלום עולם|עול", "हिन्दी की किताब|किताब", "Łódź w maju|lodz", "Список покупок|покуп", "ร้านกาแฟในกรุงเทพ|กาแฟ",
        "대한민국의 역사|민국", "步2 重跑gen-itgc后50条悬空|itgc", "即适者生存，生存|适者生存",
    ])
    func wordsAreFoundInTenLanguages(example: String) throws {
        let parts = example.split(separator: "|").map(String.init)
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry(parts[0]), usedAt: now)
        try index.keep(entry("Something else", text: parts[0]), usedAt: now)
        #expect(try titles(parts[1], in: index) == [parts[0], "Something else"])
        #expect(try titles(parts[1] + "q", in: index) == [])
    }

    @Test func phraseDoesNotReachFromOneTextToTheNext() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs", keywords: ["north sea", "salt-water"]), usedAt: now)
        #expect(try titles("north-sea", in: index) == ["Eggs"])
        #expect(try titles("sea-salt", in: index) == [])
    }

    @Test(arguments: [
        "\"", "AND OR", "title_words:eggs", "a*", "NEAR(", "🍎", "\u{0}", "-eggs ^", "'; DROP TABLE entry; --",
        "\u{E000}",
    ])
    func operatorsDoNotFail(query: String) throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs"), usedAt: now)
        _ = try titles(query, in: index)
        _ = try titles(String(repeating: query + " ", count: 2000), in: index)
        #expect(try titles("eggs", in: index) == ["Eggs"])
    }

    /// A NUL ends a text of SQLite.
    @Test func identifiersThatDifferAfterANulAreDifferent() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs\u{0}white", id: "a\u{0}1"), usedAt: now)
        try index.keep(entry("Milk", id: "a\u{0}2"), usedAt: now)
        #expect(try index.remove(.persistent(["a\u{0}2", "a"], of: app)) == 1)
        #expect(try titles("white", in: index) == ["Eggs\u{0}white"])
    }

    // Shows A35, A36.
    @Test(arguments: [true, false]) func noDeletedWordStaysInTheFile(closes: Bool) throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        for number in 0..<300 { try index.keep(entry("Note \(number) ordinary", text: "harmless"), usedAt: now) }
        try index.keep(entry("Zanzibarweh", text: "quixotischer Inhalt", id: "7"), usedAt: now)
        try index.add(
            ActivityTransfer(
                .sent, at: now, device: nil, deviceName: DisplayText(cleaning: "phone"), type: .browsingWeb,
                title: DisplayText(cleaning: "Zanzibarweh"), app: app, appName: DisplayText(cleaning: "Notes")))
        #expect(try folder.contains("zanzibarweh") && folder.contains("Zanzibarweh") && folder.contains("quixotischer"))
        #expect(try index.remove(.persistent(["7"], of: app)) == 1)
        #expect(index.hasUnfinishedWork)
        try index.compact()
        if closes { index.close() }
        for word in ["anzibarweh", "quixotischer"] { #expect(try !folder.contains(word), "\(word)") }
        if !closes {
            #expect(!index.hasUnfinishedWork)
            #expect(try titles("ordinary", in: index).count == 10)
        }
    }

    // Shows A36.
    @Test func titleOfSignsAloneIsDeletedToo() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.add(
            ActivityTransfer(
                .sent, at: now, device: nil, deviceName: DisplayText(cleaning: "phone"), type: .browsingWeb,
                title: DisplayText(cleaning: "?!"), app: app, appName: DisplayText(cleaning: "Notes")))
        #expect(try index.remove(.activities(of: app)) == 0)
        #expect(try index.transfers().map(\.title) == [nil])
    }

    @Test func transferThatCannotBeReadStopsNoDeletion() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs", id: "1"), usedAt: now)
        try index.add(
            ActivityTransfer(
                .sent, at: now, device: nil, deviceName: DisplayText(cleaning: "phone"), type: .browsingWeb,
                title: DisplayText(cleaning: "Eggs"), app: app, appName: DisplayText(cleaning: "Notes")))
        index.close()
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: "UPDATE transfer SET content = x'FF'") }
        try queue.close()
        let again = try SQLiteActivityIndex(path: folder.file)
        #expect(try again.remove(.activities(of: app)) == 1)
        #expect(try titles("eggs", in: again) == [])
        #expect(try again.transfers().isEmpty)
    }

    @Test func replacedWordLeavesTheFileToo() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Zanzibarweh", id: "7"), usedAt: now)
        try index.keep(entry("Fernweh", id: "7"), usedAt: now)
        #expect(index.hasUnfinishedWork)
        try index.compact()
        #expect(try !folder.contains("anzibarweh"))
        #expect(try titles("fern", in: index) == ["Fernweh"])
    }

    @Test func useWithinFiveMinutesWritesNothing() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs", id: "7"), usedAt: now)
        try index.compact()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        for second in 1..<300 { try index.keep(entry("Eggs", id: "7"), usedAt: now.advanced(by: .seconds(second))) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")).isEmpty)
    }

    @Test(arguments: [0, 100, 4096, 20_000]) func damagedFileIsSetAside(offset: Int) throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        for number in 0..<300 { try index.keep(entry("Note \(number)", text: "long text of some length"), usedAt: now) }
        index.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        bytes.replaceSubrange(offset..<offset + 4096, with: Data(repeating: 0x5A, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: folder.file))
        let again = try SQLiteActivityIndex(path: folder.file)
        // Reads every page.
        _ = try again.found(by: HistoryQuery("note"), limit: 10, at: now)
        try again.compact()
        try again.remove(.app(app))
        #expect(again.takeNotice()?.contains("damaged") == true)
        #expect(again.takeNotice() == nil)
        try again.keep(entry("Eggs"), usedAt: now)
        #expect(try titles("", in: again) == ["Eggs"])
        #expect(FileManager.default.fileExists(atPath: folder.file + ".damaged"))
        try again.remove(.everything)
        #expect(!FileManager.default.fileExists(atPath: folder.file + ".damaged"))
    }

    @Test func fileOfANewerVersionIsNotTouched() throws {
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: "CREATE TABLE future (x); PRAGMA user_version = 2") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        let error = #expect(throws: Failure.self) { try SQLiteActivityIndex(path: folder.file) }
        #expect(error?.reason.contains("newer version") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
    }

    @Test func onlyTheUserMayReadTheFile() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Eggs"), usedAt: now)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    // As the reports memry 1585 and pi-hermes-memory 86: the tables are whole, but not FTS5's own.
    @Test(arguments: ["DELETE FROM words_data", "UPDATE words_data SET block = zeroblob(9)", "DROP TABLE words_idx"])
    func damagedWordsAreNoticed(damage: String) throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        for number in 0..<50 { try index.keep(entry("Note \(number)"), usedAt: now) }
        index.close()
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: damage) }
        try queue.close()
        let again = try SQLiteActivityIndex(path: folder.file)
        // At the latest when a word changes.
        _ = try again.found(by: HistoryQuery("note"), limit: 10, at: now)
        try again.keep(entry("Eggs"), usedAt: now)
        try again.remove(.persistent(["?"], of: app))
        try again.keep(entry("Note 7"), usedAt: now.advanced(by: .seconds(3600)))
        #expect(again.takeNotice()?.contains("damaged") == true)
        #expect(try titles("note", in: again) == ["Note 7"])
    }

    // As the report activity-stream 505.
    @Test func clockThatWasAheadLeavesTheRightTime() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        let future = now.advanced(by: .seconds(400 * 24 * 3600))
        try index.keep(entry("Eggs"), usedAt: now)
        try index.keep(entry("Eggs"), usedAt: future)
        let back = now.advanced(by: .seconds(3600))
        try index.keep(entry("Eggs"), usedAt: back)
        #expect(try index.found(by: HistoryQuery("eggs"), limit: 1, at: back).first?.lastUse == back)
    }

    @Test func entryThatCannotBeReadHidesNoOther() throws {
        let index = try SQLiteActivityIndex(path: folder.file)
        try index.keep(entry("Egg soup"), usedAt: now)
        try index.keep(entry("Egg pie"), usedAt: now)
        index.close()
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: "UPDATE entry SET content = x'FF' WHERE title_words = 'egg pie'") }
        try queue.close()
        let again = try SQLiteActivityIndex(path: folder.file)
        #expect(try titles("egg", in: again) == ["Egg soup"])
    }
}
