// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// This side's unanswered requests, in the order of sending. Each waiter is removed exactly once.
struct OutstandingRequests<Waiter> {
    private struct Entry {
        let id: UInt64
        let deadline: Instant
        let waiter: Waiter
    }

    // There are a few dozen at most, so a linear search is faster than a table and keeps the order.
    private var entries: [Entry] = []
    private var lastID: UInt64 = 0

    var isFull: Bool { entries.count >= SessionLimits.outstandingRequests }
    /// Computed after each frame, and few frames are requests.
    var nextDeadline: Instant? {
        var next: Instant?
        for entry in entries { next = next.earlier(entry.deadline) }
        return next
    }

    /// Never zero, and unique.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func insert(_ waiter: Waiter, deadline: Instant) -> UInt64 {
        let id = makeID()
        entries.append(Entry(id: id, deadline: deadline, waiter: waiter))
        return id
    }

    /// Nil for a number that is unknown or no longer waits.
    mutating func take(_ id: UInt64) -> Waiter? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index).waiter
    }

    mutating func takeOverdue(now: Instant) -> [Waiter] {
        guard !entries.isEmpty else { return [] }
        let overdue = entries.filter { $0.deadline <= now }
        guard !overdue.isEmpty else { return [] }
        entries.removeAll { $0.deadline <= now }
        return overdue.map { $0.waiter }
    }

    mutating func takeAll() -> [Waiter] {
        defer { entries = [] }
        return entries.map { $0.waiter }
    }
}
