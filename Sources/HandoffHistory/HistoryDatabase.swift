// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import Glibc
internal import HandoffCore
internal import HandoffWire

enum HistoryDatabase {
    /// In `user_version`. A file of a newer version is never changed.
    static let version = 1
    /// KiB of pages in memory.
    private static let cache = 512
    /// Bytes of the file that are read in place.
    private static let mapped = 256 * 1024 * 1024
    /// Pages. Usually the program empties the journal earlier, while nothing waits.
    private static let journal = 10_000
    /// For another process that still has the file open.
    private static let patience: TimeInterval = 5

    static let damagedSuffix = ".damaged"
    static let companions = ["-wal", "-shm"]

    /// Throws `DatabaseError` for a damaged file.
    static func open(_ path: String) throws -> DatabaseQueue {
        try checkVersion(of: path)
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            // Otherwise the file would look damaged.
            guard try Bool.fetchOne(database, sql: "SELECT sqlite_compileoption_used('ENABLE_FTS5')") == true else {
                throw Failure(.stateNotWritable, "this system's SQLite cannot search: it has no FTS5")
            }
            try database.execute(
                sql: """
                    PRAGMA cache_size = -\(cache);
                    PRAGMA mmap_size = \(mapped);
                    PRAGMA wal_autocheckpoint = \(journal);
                    PRAGMA secure_delete = ON;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA synchronous = NORMAL;
                    """)
        }
        // SQLite creates the files beside it with the same mode.
        let created = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if created >= 0 { close(created) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write(createTables)
        try queue.write(createTransfers)
        return queue
    }

    /// Before anything is written.
    private static func checkVersion(of path: String) throws {
        guard access(path, F_OK) == 0 else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let found = try DatabaseQueue(path: path, configuration: configuration).read(version(in:))
        guard found <= version else {
            throw Failure(.stateNotWritable, "the history was written by a newer version of Handoff")
        }
    }

    private static func version(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    private static func createTables(in database: Database) throws {
        guard try version(in: database) == 0 else {
            // Reads each table, because an empty result would look like an empty history.
            try database.execute(sql: "SELECT 1 FROM entry LIMIT 1; SELECT 1 FROM words LIMIT 1; SELECT 1 FROM fact")
            return
        }
        // `turn` rises with each use, so that the search reads the last used first.
        try database.execute(
            sql: """
                CREATE TABLE entry (
                    turn INTEGER PRIMARY KEY AUTOINCREMENT,
                    number INTEGER NOT NULL UNIQUE,
                    app TEXT NOT NULL,
                    key BLOB NOT NULL,
                    persistent BLOB,
                    item BLOB,
                    domain BLOB,
                    is_item INTEGER NOT NULL,
                    score REAL NOT NULL,
                    uses INTEGER NOT NULL,
                    last_ms INTEGER NOT NULL,
                    expires_ms INTEGER,
                    title_words TEXT NOT NULL,
                    other_words TEXT NOT NULL,
                    content BLOB NOT NULL,
                    UNIQUE (app, key)
                ) STRICT;
                CREATE INDEX entry_score ON entry (score);
                CREATE INDEX entry_title ON entry (title_words);
                CREATE TABLE client (
                    app TEXT NOT NULL, name BLOB NOT NULL, state BLOB NOT NULL, PRIMARY KEY (app, name)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE fact (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE words USING fts5 (
                    title_words, other_words, content = 'entry', content_rowid = 'turn', tokenize = 'ascii',
                    prefix = '1 2 3');
                PRAGMA user_version = \(version);
                """)
    }

    /// An earlier program of this version ignores the table.
    private static func createTransfers(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS transfer (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    at_ms INTEGER NOT NULL,
                    app TEXT,
                    title_words TEXT NOT NULL,
                    persistent BLOB,
                    content BLOB NOT NULL
                ) STRICT;
                """)
    }

    /// It may contain deleted words, so a later removal of everything removes it too.
    static func setAside(_ path: String) throws(Failure) {
        guard rename(path, path + damagedSuffix) == 0 || errno == ENOENT else {
            throw Failure(
                .stateNotWritable, "the damaged history could not be set aside: \(String(cString: strerror(errno)))")
        }
        for companion in companions { unlink(path + companion) }
    }

    static func removeDamaged(_ path: String) { unlink(path + damagedSuffix) }
}

extension DatabaseError {
    /// Also tables that are missing or contradict each other, because only this program writes them.
    var isDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: true
        default: false
        }
    }
}
