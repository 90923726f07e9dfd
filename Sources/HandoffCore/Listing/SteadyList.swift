// SPDX-License-Identifier: Apache-2.0

/// The order of a list that a person points at. While they do, a line stays where it is: what is new is put at the end, and
/// what is gone stays in its place, to be shown as such. When they no longer point at it, the list is in order again.
package struct SteadyList<ID: Hashable & Sendable>: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package var id: ID
        /// No longer offered; it cannot be continued.
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

    /// `limit`: so many lines are shown, the first of what is offered. While the list is pointed at, there may be twice as
    /// many: what has gone is still among them.
    package init(showing limit: Int = SteadyListLimits.lines) { self.limit = limit }

    /// All there is now, in order. Of an id that comes twice, the first counts.
    package mutating func offered(_ ids: [ID]) {
        offered = ids
        if isPointedAt { follow() } else { arrange() }
    }

    /// Whether a person points at it now: the menu is open, the pointer is over the window.
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

package enum SteadyListLimits {
    /// Lines of a list that says no other number.
    package static let lines = 200
}
