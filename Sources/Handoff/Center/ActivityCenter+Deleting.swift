// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Deletes saved activities: the handler's on disk (window state), and the daemon's in memory (of an app that quit).

struct SavedDeletions: Sendable {
    var forHandler: SavedActivities?
    /// Until the daemon confirms.
    var forDaemon: SavedActivities?
    var waiters: [Once<Void>] = []
}

extension ActivityCenter {
    /// The daemon answers within milliseconds.
    static let deletionPatience = Duration.seconds(5)

    /// Calls `done` once, in the background. An unreachable daemon receives the request first on its next connection.
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
        // The daemon holds nothing for a program without a bundle.
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
            return log("the daemon could not delete saved activities: \(failure)")
        }
        state.withLock { $0.deletions.forDaemon = saved.union(with: $0.deletions.forDaemon) }
    }

    /// The daemon holds activities only in memory, so none are left.
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
