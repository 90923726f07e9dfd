// SPDX-License-Identifier: Apache-2.0

/// What stands on a terminal after what a program has written there, as far as ours write: text in ASCII, lines, and one
/// line that is written over.
package struct Screen: Sendable {
    package private(set) var columns: Int
    /// What stood on a row when it was written over, in order.
    package private(set) var overwritten: [String] = []
    /// How often a row was too short for its text.
    package private(set) var overflows = 0
    /// Sequences that this does not know.
    package private(set) var unknown: [String] = []

    private var cells: [[UInt8]] = [[]]
    private var column = 0
    /// From its escape on.
    private var sequence: [UInt8] = []
    /// Back at the beginning of the row, and nothing has come since.
    private var hasReturned = false

    package init(columns: Int) { self.columns = columns }

    /// Without what is blank at their ends. The last one is empty where all lines are whole.
    package var rows: [String] { cells.map(Self.text) }

    /// All rows, in lines.
    package var text: String { rows.joined(separator: "\n") }

    /// What stands there stays as it is.
    mutating func resize(columns: Int) { self.columns = columns }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { write(byte) }
    }

    private mutating func write(_ byte: UInt8) {
        guard sequence.isEmpty else { return continueSequence(byte) }
        switch byte {
        case UInt8(ascii: "\r"): (column, hasReturned) = (0, true)
        case UInt8(ascii: "\n"):
            // A terminal's driver puts a return before each.
            hasReturned = false
            cells.append([])
        case 0x1B:
            beginOver()
            sequence = [byte]
        default:
            beginOver()
            if column == columns {
                overflows += 1
                cells.append([])
                column = 0
            }
            put(byte)
        }
    }

    private mutating func beginOver() {
        guard hasReturned else { return }
        hasReturned = false
        let row = Self.text(cells[cells.count - 1])
        if !row.isEmpty { overwritten.append(row) }
    }

    private mutating func put(_ byte: UInt8) {
        let row = cells.count - 1
        if column < cells[row].count { cells[row][column] = byte } else { cells[row].append(byte) }
        column += 1
    }

    /// `ESC [ K` takes away the rest of the row.
    private mutating func continueSequence(_ byte: UInt8) {
        sequence.append(byte)
        guard sequence.count > 2, (0x40...0x7E).contains(byte) || sequence[1] != UInt8(ascii: "[") else { return }
        if sequence == [0x1B, UInt8(ascii: "["), UInt8(ascii: "K")] {
            let row = cells.count - 1
            cells[row].removeLast(max(0, cells[row].count - column))
        } else {
            unknown.append(String(decoding: sequence.dropFirst(), as: UTF8.self))
        }
        sequence = []
    }

    private static func text(_ row: [UInt8]) -> String {
        let end = row.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
        return String(decoding: row[..<end], as: UTF8.self)
    }
}
