// SPDX-License-Identifier: Apache-2.0

/// Aligned with a heading on a terminal, otherwise separated by tabs without one, for `cut`.
struct Table {
    /// `elastic`: shortened on a narrow terminal. IDs and paths, which users copy, never are.
    struct Column: ExpressibleByStringLiteral {
        let heading: String
        let isElastic: Bool

        init(stringLiteral heading: String) { (self.heading, isElastic) = (heading, false) }
        private init(elastic heading: String) { (self.heading, isElastic) = (heading, true) }

        static func elastic(_ heading: String) -> Column { Column(elastic: heading) }
    }

    /// Minimum of an elastic column, cells.
    static let least = 12
    private static let gap = "  "

    let columns: [Column]
    let rows: [[String]]

    func text(_ terminal: Terminal) -> String {
        guard terminal.isTerminal else {
            return rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
        }
        guard !rows.isEmpty else { return "" }
        let all = [columns.map(\.heading)] + rows
        var widths = columns.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
        if let width = terminal.columns { shrink(&widths, to: width) }
        return all.map { row in
            let cells = zip(row, widths).map { $0.fitted(to: $1) }
            return (zip(cells, widths).dropLast().map { $0.padded(to: $1) } + [cells.last ?? ""])
                .joined(separator: Self.gap)
        }
        .joined(separator: "\n")
    }

    /// The widest first, so that little text is cut.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var surplus = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
        while surplus > 0 {
            let elastic = columns.indices.filter { columns[$0].isElastic && widths[$0] > Self.least }
            guard let widest = elastic.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            surplus -= 1
        }
    }
}

protocol Listed: Encodable {
    static var columns: [Table.Column] { get }
    var cells: [String] { get }
}

extension Table {
    init<Row: Listed>(_ rows: [Row]) { self.init(columns: Row.columns, rows: rows.map(\.cells)) }
}

/// In JSON an array.
struct Listing<Row: Listed>: Renderable {
    let rows: [Row]
    let absence: String?

    init(_ rows: [Row], ifEmpty absence: String) {
        self.rows = rows
        self.absence = rows.isEmpty ? absence : nil
    }

    func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }
    func text(_ terminal: Terminal) -> String { Table(rows).text(terminal) }
}
