// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
package import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// A deleted word stays in FTS5's segments until `compact` merges them; whether that is due is stored, so a crash only
/// delays it.
package final class SQLiteActivityIndex: ActivityIndex {
    /// Matches that are ranked: those used last, and as many again with all words in the title.
    static let ranked = 500
    /// So many entries may exceed a limit.
    static let slack = 100

    private let path: String
    private let limits: (ofApp: Int, all: Int)
    private let state: Lock<State>

    private struct State {
        var queue: DatabaseQueue
        var notice: String?
    }

    /// Throws `.stateNotWritable`.
    package init(
        path: String, limits: (ofApp: Int, all: Int) = (HistoryLimits.entriesOfApp, HistoryLimits.entries)
    ) throws(Failure) {
        self.path = path
        self.limits = limits
        do {
            do {
                state = Lock(State(queue: try HistoryDatabase.open(path)))
            } catch let error as DatabaseError where error.isDamage {
                state = Lock(try Self.begunAgain(path, error))
            }
        } catch {
            throw Failure(history: error)
        }
    }

    private static func begunAgain(_ path: String, _ error: DatabaseError) throws -> State {
        try HistoryDatabase.setAside(path)
        return State(
            queue: try HistoryDatabase.open(path),
            notice: "the history was damaged (\(error.resultCode)) and is empty now; the file was set aside")
    }

    /// The note about a damaged file, once.
    package func takeNotice() -> String? { state.withLock { $0.notice.take() } }

    package func close() { state.withLock { try? $0.queue.close() } }

    @discardableResult
    package func keep(_ entry: HistoryEntry, usedAt now: WallTime) throws(Failure) -> Bool {
        try write { database in
            if entry.relatedItem != nil { return try database.use(entry.key, of: entry.app, at: now) }
            let row = try StoredEntry(entry)
            let before = try KeptUse(database, app: entry.app, key: row.key)
            var frecency = before?.frecency ?? Frecency(firstUse: now)
            let isUse = before == nil || frecency.used(at: now)
            if let before {
                guard isUse || before.differs(from: row) else { return true }
                // A use alone leaves no deleted word.
                try database.remove("turn = ?", [before.turn], leavesWords: before.differs(from: row))
            }
            try database.insert(row, number: before?.number, frecency)
            if before == nil { try removeLowest(of: entry.app, afterAdding: 1, to: database) }
            return true
        }
    }

    /// Only about each hundredth time, because counting reads the whole index.
    private func removeLowest(of app: BundleID, afterAdding count: Int, to database: Database) throws {
        guard count > 0 else { return }
        let slack = min(Self.slack, limits.ofApp / 100)
        guard try database.turn() % Int64(slack + 1) < count else { return }
        try database.removeLowest(beyond: limits.ofApp, where: "app = ?", [app.name])
        try database.removeLowest(beyond: limits.all, where: "true", [])
    }

    package func change(
        _ changes: [HistoryChange], by app: BundleID, state: HistoryClientState?, at now: WallTime
    ) throws(Failure) {
        try write { database in
            var added = 0
            for change in changes {
                switch change {
                case .put(let entry, let isUpdate):
                    if try database.put(entry, isUpdate: isUpdate, at: now) { added += 1 }
                case .remove(let removal): _ = try database.remove(removal)
                }
            }
            try removeLowest(of: app, afterAdding: added, to: database)
            guard let state else { return }
            try database.execute(
                sql: "INSERT OR REPLACE INTO client VALUES (?, ?, ?)",
                arguments: [app.name, ExactText(state.index).bytes, Data(state.state)])
        }
    }

    package func clientState(of app: BundleID, index: String) throws(Failure) -> [UInt8] {
        try read { database in
            let state = try Data.fetchOne(
                database, sql: "SELECT state FROM client WHERE app = ? AND name = ?",
                arguments: [app.name, ExactText(index).bytes])
            return Array(state ?? Data())
        }
    }

    @discardableResult
    package func remove(_ removal: HistoryRemoval) throws(Failure) -> Int {
        if removal == .everything { HistoryDatabase.removeDamaged(path) }
        // A power cut may take back the last writes, but no deletion.
        return try write(isSynced: true) { database in
            try database.remove(removal)
        }
    }

    package func found(by query: HistoryQuery, limit: Int, at now: WallTime) throws(Failure) -> [HistoryMatch] {
        try read { database in
            guard !query.isEmpty else {
                return try HistoryMatch.fetch(
                    database, "\(StoredEntry.isAlive) AND uses > 0 ORDER BY last_ms DESC LIMIT ?",
                    [now.milliseconds, limit])
            }
            let title = query.phrases.flatMap(\.self).joined(separator: " ")
            // A title of exactly these words, then titles with them, then other matches.
            let statement = try database.cachedStatement(
                sql: """
                    WITH exact AS (SELECT turn FROM entry WHERE title_words = :title ORDER BY turn DESC LIMIT :ranked),
                        titled AS (SELECT rowid AS turn FROM words WHERE words MATCH :titled
                            ORDER BY rowid DESC LIMIT :ranked),
                        some AS (SELECT rowid AS turn FROM words WHERE words MATCH :any
                            ORDER BY rowid DESC LIMIT :ranked),
                        best AS (SELECT turn, 0 AS place FROM exact UNION ALL SELECT turn, 1 FROM titled
                            UNION ALL SELECT turn, 2 FROM some)
                    SELECT turn, min(place) AS place, score, uses, last_ms FROM best JOIN entry USING (turn)
                    WHERE \(StoredEntry.isAlive) GROUP BY turn
                    """)
            let ranked = try Row.fetchAll(
                statement,
                arguments: [
                    "title": title, "titled": "title_words : (\(query.expression))", "any": query.expression,
                    "ranked": Self.ranked, "now": now.milliseconds,
                ])
            let best = ranked.map { row -> (place: Int, rank: Double, turn: Int64) in
                (row["place"], Frecency(row).rank(at: now), row["turn"])
            }.sorted { ($0.place, -$0.rank, -$0.turn) < ($1.place, -$1.rank, -$1.turn) }.prefix(limit)
            return try best.flatMap { try HistoryMatch.fetch(database, "turn = ?", [$0.turn]) }
        }
    }

    package func entry(_ number: HistoryNumber) throws(Failure) -> HistoryEntry? { try match(number)?.entry }

    func match(_ number: HistoryNumber) throws(Failure) -> HistoryMatch? {
        try read { database in
            try HistoryMatch.fetch(database, "number = ?", [Int64(bitPattern: number)]).first
        }
    }

    @discardableResult
    package func removeExpired(at now: WallTime, unusedFor: Duration) throws(Failure) -> Int {
        try write { database in
            let look = try database.fact(.lastLook).map(WallTime.init(milliseconds:))
            var expiry = HistoryExpiry(lastLook: look)
            let before = expiry.look(at: now)
            if expiry.lastLook != look { try database.set(.lastLook, expiry.lastLook?.milliseconds) }
            guard let before else { return 0 }
            let unused = before.advanced(by: .zero - unusedFor)
            let transfers = try database.removeTransfers("at_ms <= ?", [unused.milliseconds])
            return try transfers
                + database.remove(
                    "coalesce(expires_ms <= ?, last_ms <= ?)", [before.milliseconds, unused.milliseconds])
        }
    }

    package func add(_ transfer: ActivityTransfer) throws(Failure) { try write { try $0.add(transfer) } }

    package func transfers() throws(Failure) -> [ActivityTransfer] { try read { try $0.transfers() } }

    package var hasUnfinishedWork: Bool { (try? read { try $0.fact(.leftovers) != nil }) ?? false }

    /// Removes deleted words from the file, its journal and its shared memory.
    package func compact() throws(Failure) {
        try write { try $0.execute(sql: "INSERT INTO words (words) VALUES ('optimize')") }
        try emptyJournal()
        // Last, because a crash before may leave words in the file.
        try write { try $0.set(.leftovers, nil) }
    }

    /// Otherwise a later change does it, and waits for the disk.
    package func emptyJournal() throws(Failure) {
        try perform { queue in
            try queue.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
        }
    }

    // MARK: Transactions

    private func write<Result>(
        isSynced: Bool = false, _ body: (Database) throws -> Result
    ) throws(Failure) -> Result {
        try perform { queue in
            try queue.writeWithoutTransaction { database in
                if isSynced { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer { if isSynced { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(database)
                    return .commit
                }
                guard let result else { throw Failure(.internal, "the history did not answer") }
                return result
            }
        }
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
        try perform { queue in try queue.read(body) }
    }

    /// If the file turns out to be damaged, again with a new one.
    private func perform<Result>(_ body: (DatabaseQueue) throws -> Result) throws(Failure) -> Result {
        do {
            return try state.withLock { state in
                do {
                    return try body(state.queue)
                } catch let error as DatabaseError where error.isDamage {
                    try? state.queue.close()
                    state = try Self.begunAgain(path, error)
                    return try body(state.queue)
                }
            }
        } catch {
            throw Failure(history: error)
        }
    }
}

extension Failure {
    init(history error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        // The message may repeat an entry; its result code does not.
        case let error as DatabaseError:
            self.init(.stateNotWritable, "the history cannot be used: \(error.extendedResultCode)")
        default: self.init(.stateNotWritable, "the history cannot be used: \(type(of: error))")
        }
    }
}

extension Database {
    fileprivate func remove(_ removal: HistoryRemoval) throws -> Int {
        var transfers = 0
        switch removal {
        case .everything:
            try execute(sql: "DELETE FROM client")
            transfers = try removeTransfers("true", [])
        case .app(let app):
            try execute(sql: "DELETE FROM client WHERE app = ?", arguments: [app.name])
            transfers = try removeTransfers("app = ?", [app.name])
        case .transfers: return try removeTransfers("true", [])
        case .activities(let app): try removeTransferTitles("app = ?", [app.name])
        case .persistent(let names, let app):
            for name in names { try removeTransferTitles("app = ? AND persistent = ?", [app.name, name.bytes]) }
        case .entries, .items, .domains, .allItems: break
        }
        return try removal.conditions.reduce(transfers) { count, condition in
            try removeTransferTitles(
                """
                title_words <> ''
                AND (app, title_words) IN (SELECT app, title_words FROM entry WHERE \(condition.sql))
                """,
                condition.arguments)
            return count + (try remove(condition.sql, condition.arguments))
        }
    }
}

extension HistoryRemoval {
    fileprivate typealias Condition = (sql: String, arguments: StatementArguments)

    fileprivate var conditions: [Condition] {
        func each(_ names: Set<ExactText>, of app: BundleID, _ sql: String) -> [Condition] {
            names.map { (sql, [app.name, $0.bytes]) }
        }
        switch self {
        case .everything: return [("true", [])]
        case .transfers: return []
        case .app(let app): return [("app = ?", [app.name])]
        case .activities(let app): return [("app = ? AND NOT is_item", [app.name])]
        case .allItems(let app): return [("app = ? AND is_item", [app.name])]
        case .entries(let numbers): return numbers.map { ("number = ?", [Int64(bitPattern: $0)]) }
        case .persistent(let names, let app): return each(names, of: app, "app = ? AND persistent = ?")
        case .items(let names, let app): return each(names, of: app, "app = ? AND item = ?")
        case .domains(let names, let app):
            return names.map { name in
                // All that begins with the name and a period, which a slash follows.
                let (first, end) = (name.bytes + [UInt8(ascii: ".")], name.bytes + [UInt8(ascii: "/")])
                return (
                    "app = ? AND (domain = ? OR domain >= ? AND domain < ?)",
                    [app.name, name.bytes, Data(first), Data(end)]
                )
            }
        }
    }
}

extension ExactText {
    /// A text ends at a NUL for SQLite.
    var bytes: Data { Data(text.utf8) }
}
