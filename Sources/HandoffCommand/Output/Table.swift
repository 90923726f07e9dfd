// SPDX-License-Identifier: Apache-2.0

/// Rows of cells: with a heading and aligned on a terminal; without one and split by tabs for `cut` elsewhere.
struct Table {
    let heading: [String]
    let rows: [[String]]
    /// Said on a terminal where there is no row.
    let ifEmpty: String

    func text(_ terminal: Terminal) -> String {
        guard terminal.isTerminal else {
            return rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
        }
        guard !rows.isEmpty else { return ifEmpty }
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            // The last one ends the line, so it needs no blanks behind it.
            let cells = zip(row, widths).map { cell, width in cell.padded(to: width) }
            return cells.dropLast().joined(separator: "  ") + "  " + (row.last ?? "")
        }
        .joined(separator: "\n")
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
