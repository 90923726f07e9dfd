// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient

/// How far a direction of a stream is.
enum StreamPhase: Sendable, Hashable {
    /// Can become any of the others.
    case notOpen
    /// Can become `atEnd`, `failed`, `closed`.
    case open
    /// Of input alone: all of it was read. Can become `closed`.
    case atEnd
    /// Can become `closed`.
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

/// Who waits for one direction of a stream: threads within a call, and tasks. Part of a state behind a lock.
struct StreamWaiters: Sendable {
    typealias Continuation = CheckedContinuation<Void, Never>

    private var tasks: [UUID: Continuation] = [:]
    /// To be resumed outside the lock.
    private var resumed: [Continuation] = []
    private var threads = 0
    /// Of the threads, those that the alarm was sounded for and that have not taken it.
    private var called = 0

    var hasTasks: Bool { !tasks.isEmpty }

    mutating func add(_ id: UUID, _ continuation: Continuation) { tasks[id] = continuation }

    /// Nil if it is resumed already.
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

    /// All of them look again.
    mutating func callAll() {
        resumeTasks()
        for _ in called..<threads { StreamAlarm.sound() }
        called = threads
    }

    /// `begin` hands the continuation on; it is resumed once, by the stream or by `cancel`.
    static func wait(
        begin: (UUID, Continuation) -> Void, cancel: @escaping @Sendable (UUID) -> Void
    ) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, continuation)
                // Cancelled before there was anything to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }
}
