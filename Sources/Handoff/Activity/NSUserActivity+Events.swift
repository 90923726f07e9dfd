// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

extension NSUserActivity {
    /// What happens to an activity. Later versions may add cases.
    public enum Event: Hashable, Sendable {
        /// It became the app's current activity.
        case becameCurrent
        /// It is not the app's current activity any more.
        case resignedCurrent
        /// It is about to be sent, or kept for the next run of the app as what a window showed, and `needsSave` was set.
        /// This is news, not a question: nothing waits for whoever reads it. State is filled in by the delegate's
        /// `userActivityWillSave`, which runs next.
        case willSave
        /// Another of the user's devices continued it.
        case wasContinued
    }

    /// What happens to this activity from now on, in order.
    ///
    /// ```swift
    /// for await event in activity.events {
    ///     if event == .wasContinued { draft.close() }
    /// }
    /// ```
    ///
    /// Each use makes a sequence of its own, for one reader. It ends when the activity is invalidated or goes away, which
    /// reading it does not prevent. Who reads slowly misses the oldest: the newest 64 events are kept. The delegate's
    /// methods are called as ever.
    public var events: AsyncStream<Event> { record.events() }
}

/// The sequences that were asked for and are still read.
struct EventStreams: Sendable {
    /// Events kept for a slow reader.
    static let kept = 64

    private var continuations: [UInt64: AsyncStream<NSUserActivity.Event>.Continuation] = [:]
    private var lastID: UInt64 = 0

    /// The number to take it out by.
    mutating func add(_ continuation: AsyncStream<NSUserActivity.Event>.Continuation) -> UInt64 {
        lastID += 1
        continuations[lastID] = continuation
        return lastID
    }

    mutating func remove(_ id: UInt64) { continuations[id] = nil }

    func yield(_ event: NSUserActivity.Event) {
        for continuation in continuations.values { continuation.yield(event) }
    }

    /// To be ended outside the lock: an end calls back.
    mutating func removeAll() -> [AsyncStream<NSUserActivity.Event>.Continuation] {
        defer { continuations = [:] }
        return Array(continuations.values)
    }
}

extension ActivityRecord {
    fileprivate func events() -> AsyncStream<NSUserActivity.Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NSUserActivity.Event.self, bufferingPolicy: .bufferingNewest(EventStreams.kept))
        let id = state.withLock { $0.isInvalidated ? nil : $0.events.add(continuation) }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.events.remove(id) } }
        return stream
    }

    func happened(_ event: NSUserActivity.Event) {
        state.withLock { $0.events.yield(event) }
    }
}
