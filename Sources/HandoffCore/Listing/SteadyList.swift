// SPDX-License-Identifier: Apache-2.0

/// While it is under the pointer, rows stay in place, new rows are added at the end, and gone rows are marked.
package struct SteadyList<ID: Hashable & Sendable>: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package var id: ID
        package var isGone: Bool

        package init(id: ID, isGone: Bool = false) {
            self.id = id
            self.isGone = isGone
        }
    }

    package private(set) var lines: [Line] = []
    package private(set) var isPointedAt = false
    private var offered: [ID] = []
    private let limit: Int

    /// `limit`: under the pointer it doubles, because gone rows remain.
    package init(showing limit: Int = SteadyListLimits.lines) { self.limit = limit }

    /// In order. Repeats of an ID are ignored.
    package mutating func offered(_ ids: [ID]) {
        offered = ids
        if isPointedAt { follow() } else { arrange() }
    }

    package mutating func pointed(_ isPointedAt: Bool) {
        self.isPointedAt = isPointedAt
        if !isPointedAt { arrange() }
    }

    private mutating func arrange() {
        lines = []
        addNew(upTo: limit)
    }

    private mutating func follow() {
        let there = Set(offered)
        for index in lines.indices { lines[index].isGone = !there.contains(lines[index].id) }
        addNew(upTo: 2 * limit)
    }

    private mutating func addNew(upTo most: Int) {
        var seen = Set(lines.map(\.id))
        for id in offered.prefix(limit) where lines.count < most && seen.insert(id).inserted {
            lines.append(Line(id: id))
        }
    }
}

enum SteadyListLimits {
    static let lines = 200
}
