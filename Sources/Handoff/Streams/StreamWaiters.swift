// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient

enum StreamPhase: Sendable, Hashable {
    /// Can transition to every other phase.
    case notOpen
    /// Can transition to `atEnd`, `failed`, `closed`.
    case open
    /// Input only: all bytes were read. Can transition to `closed`.
    case atEnd
    /// Can transition to `closed`.
    case failed
    case closed

    var status: Stream.Status {
        switch self {
        case .notOpen: .notOpen
        case .open: .open
        case .atEnd: .atEnd
        case .failed: .error
        case .closed: .closed
        }
    }
}

/// Blocked threads and tasks. Part of a locked state.
struct StreamWaiters: Sendable {
    typealias Continuation = CheckedContinuation<Void, Never>

    private var tasks: [UUID: Continuation] = [:]
    /// Resumed outside the lock.
    private var resumed: [Continuation] = []
    private var threads = 0
    /// Threads that were signalled and have not consumed the signal.
    private var called = 0

    var hasTasks: Bool { !tasks.isEmpty }

    mutating func add(_ id: UUID, _ continuation: Continuation) { tasks[id] = continuation }

    /// Nil if it is already resumed.
    mutating func remove(_ id: UUID) -> Continuation? { tasks.removeValue(forKey: id) }

    mutating func resumeTasks() {
        resumed += tasks.values
        tasks = [:]
    }

    mutating func takeResumed() -> [Continuation] {
        defer { resumed = [] }
        return resumed
    }

    mutating func threadWaits() { threads += 1 }

    mutating func threadWaited() {
        threads -= 1
        if called > 0 {
            called -= 1
            StreamAlarm.take()
        }
    }

    /// All waiters check again.
    mutating func callAll() {
        resumeTasks()
        for _ in called..<threads { StreamAlarm.sound() }
        called = threads
    }

    /// `begin` receives the continuation, which is resumed once, by the stream or by `cancel`.
    static func wait(
        begin: (UUID, Continuation) -> Void, cancel: @escaping @Sendable (UUID) -> Void
    ) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, continuation)
                // The task was cancelled before `begin`.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }
}
