// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Saved activities that the app wants gone. They are in two places: on disk, what windows showed, which is the handler's;
// and in the daemon's memory, what it would hand out for an app that quit.

/// Wishes that could not be carried out at once.
struct SavedDeletions: Sendable {
    /// For the handler that is to come; nil for none.
    var forHandler: SavedActivities?
    /// For the daemon, until it has said that it is done.
    var forDaemon: SavedActivities?
    /// Who is to be told of that.
    var waiters: [Once<Void>] = []
}

extension ActivityCenter {
    /// The daemon answers within milliseconds; who asked is told after this at the latest.
    static let deletionPatience = Duration.seconds(5)

    /// `done` is called once, in the background: they are off the disk, and the daemon does not hold them. A daemon that
    /// cannot be reached is told as soon as it can be, before it is told anything else.
    func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) {
        let parts = DispatchGroup()
        parts.enter()
        deleteKept(saved) { parts.leave() }
        parts.enter()
        deleteHeld(saved) { parts.leave() }
        parts.notify(queue: .global()) { self.run(done) }
    }

    private func deleteKept(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) {
        let handler = state.withLock { state in
            if state.handler == nil { state.deletions.forHandler = saved.union(with: state.deletions.forHandler) }
            return state.handler
        }
        guard let handler else { return done() }
        handler.deleteSaved(saved, done: done)
    }

    private func deleteHeld(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) {
        // Of a program without a bundle the daemon holds nothing.
        guard environment.bundle != nil else { return done() }
        let waiter = Once<Void> { done() }
        state.withLock { state in
            state.deletions.forDaemon = saved.union(with: state.deletions.forDaemon)
            state.deletions.waiters.append(waiter)
            connect(&state)
            sendDeletions(&state)
        }
        environment.wait(Self.deletionPatience) { [weak self] in
            self?.state.withLock { $0.deletions.waiters.removeAll { $0 === waiter } }
            waiter(())
        }
    }

    func sendDeletions(_ state: inout State) {
        guard state.isConnected, let connection = state.connection, let saved = state.deletions.forDaemon.take() else {
            return
        }
        let waiters = state.deletions.waiters
        state.deletions.waiters = []
        let parts = DispatchGroup()
        for part in saved.parts {
            parts.enter()
            let isAsked = connection.request(.advertising(.deleteSaved(part))) { [weak self] result in
                if case .failure(let failure) = result { self?.isNotDeleted(part, failure) }
                parts.leave()
            }
            if !isAsked {
                state.deletions.forDaemon = part.union(with: state.deletions.forDaemon)
                parts.leave()
            }
        }
        parts.notify(queue: .global()) { for waiter in waiters { waiter(()) } }
    }

    private func isNotDeleted(_ saved: SavedActivities, _ failure: Failure) {
        guard failure.code == .connectionUnavailable else {
            return log("the daemon still holds saved activities that were to be deleted: \(failure)")
        }
        state.withLock { $0.deletions.forDaemon = saved.union(with: $0.deletions.forDaemon) }
    }

    /// What it would hold, it holds in memory.
    func daemonIsNotThere() {
        let waiters = state.withLock { state in
            defer { state.deletions.waiters = [] }
            return state.deletions.waiters
        }
        for waiter in waiters { waiter(()) }
    }
}

extension SavedActivities {
    fileprivate func union(with others: SavedActivities?) -> SavedActivities {
        others.map { union($0) } ?? self
    }
}
