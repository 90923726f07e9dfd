// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

extension NSUserActivity {
    /// An event in an activity's life. Later versions may add cases.
    public enum Event: Hashable, Sendable {
        /// The activity became the app's current activity.
        case becameCurrent
        /// It is no longer the app's current activity.
        case resignedCurrent
        /// The activity is about to be sent, or saved as a window's state, and `needsSave` was set. Nothing waits for
        /// the reader; update the state in the delegate's `userActivityWillSave`, which runs next.
        case willSave
        /// Another device continued the activity.
        case wasContinued
    }

    /// The activity's events from now on, in order.
    ///
    /// ```swift
    /// for await event in activity.events {
    ///     if event == .wasContinued { draft.close() }
    /// }
    /// ```
    ///
    /// Each access creates a sequence for one reader. It does not retain the activity, and ends when that is
    /// invalidated or released. A slow reader gets the newest 64 events.
    public var events: AsyncStream<Event> { record.events() }
}

struct EventStreams: Sendable {
    static let kept = 64

    private var continuations: [UInt64: AsyncStream<NSUserActivity.Event>.Continuation] = [:]
    private var lastID: UInt64 = 0

    mutating func add(_ continuation: AsyncStream<NSUserActivity.Event>.Continuation) -> UInt64 {
        lastID += 1
        continuations[lastID] = continuation
        return lastID
    }

    mutating func remove(_ id: UInt64) { continuations[id] = nil }

    func yield(_ event: NSUserActivity.Event) {
        for continuation in continuations.values { continuation.yield(event) }
    }

    /// End the result outside the lock, because ending calls back.
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
