// SPDX-License-Identifier: Apache-2.0

/// Out of the user's sight: while rows stay in place, or above the visible part of the list.
package struct Arrivals {
    private var known: Set<ActivityLine.ID>?
    private var unseen: Set<ActivityLine.ID> = []

    package init() {}

    package var count: Int { unseen.count }

    /// `isInSight`: the beginning of the list is visible, and its rows are in order.
    package mutating func listed(_ lines: [ActivityLine], isInSight: Bool) {
        let there = Set(lines.filter { $0.standing != .gone }.map(\.id))
        unseen = isInSight ? [] : unseen.union(there.subtracting(known ?? there)).intersection(there)
        known = there
    }
}
