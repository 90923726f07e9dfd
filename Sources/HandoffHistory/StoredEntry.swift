// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import HandoffCore
internal import HandoffWire

/// The columns of an entry that do not change with its uses.
struct StoredEntry {
    /// No folded word contains it, so no phrase reaches beyond it.
    private static let border = " \u{E000} "

    let app: String
    let key: Data
    let persistent: Data?
    let item: Data?
    let domain: Data?
    let isItem: Bool
    let expires: Int64?
    let titleWords: String
    let otherWords: String
    let content: Data

    init(_ entry: HistoryEntry) throws {
        // They have their own columns.
        let words = entry.words
        var entry = entry
        entry.words = HistoryWords()
        try self.init(
            entry, titleWords: words.title.joined(separator: " "),
            otherWords: words.others.map { $0.joined(separator: " ") }.joined(separator: Self.border),
            content: Data(try entry.encoded()))
    }

    private init(_ entry: HistoryEntry, titleWords: String, otherWords: String, content: Data) throws {
        app = entry.app.name
        key = Data(try entry.key.encoded())
        persistent = entry.persistentIdentifier?.bytes
        item = entry.relatedItem?.bytes
        domain = entry.domain?.bytes
        isItem = entry.isItem
        expires = entry.expires?.milliseconds
        self.titleWords = titleWords
        self.otherWords = otherWords
        self.content = content
    }

    fileprivate init(_ kept: KeptUse) throws {
        let entry = try HistoryEntry(encoded: kept.content)
        try self.init(entry, titleWords: kept.words[0], otherWords: kept.words[1], content: kept.content)
    }

    /// `:now`
    static let isAlive = "coalesce(expires_ms > :now, true)"
}

/// An entry as it was at its last use.
struct KeptUse {
    let turn: Int64
    let number: Int64
    let frecency: Frecency
    fileprivate let content: Data
    fileprivate let words: [String]

    init?(_ database: Database, app: BundleID, key: Data) throws {
        guard
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM entry WHERE app = ? AND key = ?", arguments: [app.name, key])
        else { return nil }
        turn = row["turn"]
        number = row["number"]
        frecency = Frecency(row)
        content = row["content"]
        words = [row["title_words"], row["other_words"]]
    }

    func differs(from entry: StoredEntry) -> Bool {
        content != entry.content || words != [entry.titleWords, entry.otherWords]
    }
}

extension Frecency {
    init(_ row: Row) {
        self.init(score: row["score"], uses: row["uses"], last: WallTime(milliseconds: row["last_ms"]))
    }
}

extension HistoryMatch {
    static func fetch(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [HistoryMatch] {
        // A search asks for each of its results.
        let statement = try database.cachedStatement(
            sql: "SELECT number, last_ms, content FROM entry WHERE \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            let (content, number): (Data, Int64) = (row["content"], row["number"])
            // An entry that cannot be read hides no other.
            guard let entry = try? HistoryEntry(encoded: content) else { return nil }
            return HistoryMatch(
                HistoryNumber(bitPattern: number), entry, lastUse: WallTime(milliseconds: row["last_ms"]))
        }
    }
}

extension Database {
    enum Fact: String {
        case lastLook
        /// Present: deleted words may be in the file.
        case leftovers
    }

    func fact(_ fact: Fact) throws -> Int64? {
        try Int64.fetchOne(self, sql: "SELECT value FROM fact WHERE name = ?", arguments: [fact.rawValue])
    }

    func set(_ fact: Fact, _ value: Int64?) throws {
        guard let value else {
            return try execute(sql: "DELETE FROM fact WHERE name = ?", arguments: [fact.rawValue])
        }
        try execute(sql: "INSERT OR REPLACE INTO fact VALUES (?, ?)", arguments: [fact.rawValue, value])
    }

    /// `number`: nil for a new entry. `turn`: nil for the next.
    func insert(_ entry: StoredEntry, number: Int64?, turn: Int64? = nil, _ frecency: Frecency) throws {
        // A new entry's number is its first turn, which is never used again.
        try execute(
            sql: """
                INSERT INTO entry (turn, number, app, key, persistent, item, domain, is_item, score, uses, last_ms, expires_ms, title_words,
                    other_words, content)
                VALUES (?, coalesce(?, -1), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                turn, number, entry.app, entry.key, entry.persistent, entry.item, entry.domain, entry.isItem,
                frecency.score, frecency.uses, frecency.last.milliseconds, entry.expires, entry.titleWords,
                entry.otherWords, entry.content,
            ])
        let turn = lastInsertedRowID
        if number == nil { try execute(sql: "UPDATE entry SET number = turn WHERE turn = ?", arguments: [turn]) }
        try execute(
            sql: "INSERT INTO words (rowid, title_words, other_words) VALUES (?, ?, ?)",
            arguments: [turn, entry.titleWords, entry.otherWords])
    }

    /// An activity that is about an item. False: the item is unknown.
    func use(_ item: HistoryKey, of app: BundleID, at now: WallTime) throws -> Bool {
        guard let before = try KeptUse(self, app: app, key: Data(try item.encoded())) else { return false }
        var frecency = before.frecency
        guard frecency.used(at: now) else { return true }
        let row = try StoredEntry(before)
        try remove("turn = ?", [before.turn], leavesWords: false)
        try insert(row, number: before.number, frecency)
        return true
    }

    func turn() throws -> Int64 { try Int64.fetchOne(self, sql: "SELECT max(turn) FROM entry") ?? 0 }

    /// A new item, or other content for a known item. True: it is new.
    func put(_ item: HistoryEntry, isUpdate: Bool, at now: WallTime) throws -> Bool {
        let row = try StoredEntry(item)
        guard let before = try KeptUse(self, app: item.app, key: row.key) else {
            if !isUpdate { try insert(row, number: nil, Frecency(indexed: now)) }
            return !isUpdate
        }
        guard before.differs(from: row) else { return false }
        try remove("turn = ?", [before.turn])
        try insert(row, number: before.number, turn: before.turn, before.frecency)
        return false
    }

    /// Returns how many were removed.
    @discardableResult
    func remove(_ condition: String, _ arguments: StatementArguments, leavesWords: Bool = true) throws -> Int {
        // FTS5 needs the words as they were.
        try execute(
            sql: """
                INSERT INTO words (words, rowid, title_words, other_words)
                SELECT 'delete', turn, title_words, other_words FROM entry WHERE \(condition)
                """,
            arguments: arguments)
        try execute(sql: "DELETE FROM entry WHERE \(condition)", arguments: arguments)
        let count = changesCount
        if count > 0, leavesWords { try set(.leftovers, 1) }
        return count
    }

    func removeLowest(beyond limit: Int, where condition: String, _ arguments: StatementArguments) throws {
        let count = try Int.fetchOne(
            self, sql: "SELECT COUNT(*) FROM entry WHERE \(condition)", arguments: arguments)
        guard let count, count > limit else { return }
        try remove(
            "turn IN (SELECT turn FROM entry WHERE \(condition) ORDER BY score LIMIT ?)",
            arguments + [count - limit])
    }
}
