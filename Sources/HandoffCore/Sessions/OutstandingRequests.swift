// SPDX-License-Identifier: Apache-2.0

/// Our requests that wait for an answer, in the order in which they were sent. Each waiter leaves exactly once.
struct OutstandingRequests<Waiter> {
    private struct Entry {
        let id: UInt64
        let deadline: Instant
        let waiter: Waiter
    }

    // A few dozen at most, so a walk through the array beats a table and keeps the order.
    private var entries: [Entry] = []
    private var lastID: UInt64 = 0

    var isFull: Bool { entries.count >= SessionLimits.outstandingRequests }
    /// Asked after each frame, of which hardly any is a request.
    var nextDeadline: Instant? {
        var next: Instant?
        for entry in entries { next = next.earlier(entry.deadline) }
        return next
    }

    /// Never zero and never the same twice.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func insert(_ waiter: Waiter, deadline: Instant) -> UInt64 {
        let id = makeID()
        entries.append(Entry(id: id, deadline: deadline, waiter: waiter))
        return id
    }

    /// Nil for a number that waits no longer or never did.
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
