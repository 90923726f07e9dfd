// SPDX-License-Identifier: Apache-2.0

/// The content of a terminal, for the output that our programs produce: ASCII text, lines, and one line that is
/// overwritten.
package struct Screen: Sendable {
    package private(set) var columns: Int
    /// Earlier texts of overwritten rows, in order.
    package private(set) var overwritten: [String] = []
    /// How often a text was longer than its row.
    package private(set) var overflows = 0
    /// Unsupported escape sequences.
    package private(set) var unknown: [String] = []

    private var cells: [[UInt8]] = [[]]
    private var column = 0
    /// From its escape on.
    private var sequence: [UInt8] = []
    /// The cursor has returned to the beginning of the row, with no text since.
    private var hasReturned = false

    package init(columns: Int) { self.columns = columns }

    /// Without trailing blanks. The last row is empty if all lines are complete.
    package var rows: [String] { cells.map(Self.text) }

    package var text: String { rows.joined(separator: "\n") }

    /// Existing rows do not change.
    mutating func resize(columns: Int) { self.columns = columns }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { write(byte) }
    }

    private mutating func write(_ byte: UInt8) {
        guard sequence.isEmpty else { return continueSequence(byte) }
        switch byte {
        case UInt8(ascii: "\r"): (column, hasReturned) = (0, true)
        case UInt8(ascii: "\n"):
            // A terminal's driver adds a carriage return before each.
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

    /// `ESC [ K` clears the rest of the row.
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
