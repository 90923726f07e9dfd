// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import HandoffCore
internal import HandoffWire

extension Database {
    func add(_ transfer: ActivityTransfer) throws {
        let earliest = transfer.time.advanced(by: .zero - Frecency.sameUse)
        let recent = try stored("at_ms > ?", [earliest.milliseconds])
        guard !recent.contains(where: { $0.isSame(as: transfer) }) else { return }
        let words = HistoryWords(title: transfer.title?.text ?? "", others: []).title
        try execute(
            sql: "INSERT INTO transfer (at_ms, app, title_words, persistent, content) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                transfer.time.milliseconds, transfer.app?.name, words.joined(separator: " "),
                transfer.persistentIdentifier?.bytes, Data(try transfer.encoded()),
            ])
        // The journal is emptied later, because they were not deleted on request.
        try execute(
            sql: "DELETE FROM transfer WHERE number <= ?",
            arguments: [lastInsertedRowID - Int64(HistoryLimits.transfers)])
    }

    /// The latest first.
    func transfers() throws -> [ActivityTransfer] { try stored("true ORDER BY number DESC", []) }

    private func stored(_ condition: String, _ arguments: StatementArguments) throws -> [ActivityTransfer] {
        let contents = try Data.fetchAll(
            self, sql: "SELECT content FROM transfer WHERE \(condition)", arguments: arguments)
        // A transfer that cannot be read hides no other.
        return contents.compactMap { try? ActivityTransfer(encoded: $0) }
    }

    @discardableResult
    func removeTransfers(_ condition: String, _ arguments: StatementArguments) throws -> Int {
        try execute(sql: "DELETE FROM transfer WHERE \(condition)", arguments: arguments)
        let count = changesCount
        if count > 0 { try set(.leftovers, 1) }
        return count
    }

    /// For activities that are deleted. The user still sees that something went to a device.
    func removeTransferTitles(_ condition: String, _ arguments: StatementArguments) throws {
        let rows = try Row.fetchAll(
            self, sql: "SELECT number, content FROM transfer WHERE \(condition)", arguments: arguments)
        for row in rows {
            let (number, content): (Int64, Data) = (row["number"], row["content"])
            guard var transfer = try? ActivityTransfer(encoded: content) else {
                // Its title cannot be found in it.
                try removeTransfers("number = ?", [number])
                continue
            }
            guard transfer.title != nil || transfer.persistentIdentifier != nil else { continue }
            (transfer.title, transfer.persistentIdentifier) = (nil, nil)
            try execute(
                sql: "UPDATE transfer SET title_words = '', persistent = NULL, content = ? WHERE number = ?",
                arguments: [Data(try transfer.encoded()), number])
            try set(.leftovers, 1)
        }
    }
}
