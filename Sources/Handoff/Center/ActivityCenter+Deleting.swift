// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Deletes saved activities: the handler's on disk (window state), and the daemon's (of a past process, and history).

struct SavedDeletions: Sendable {
    var forHandler: SavedActivities?
    /// Until the daemon confirms.
    var forDaemon: SavedActivities?
    var waiters: [Once<Void>] = []
    /// Those in `DeletionFile`.
    var stored: SavedActivities?
    var isFileRead = false
}

/// Deletions that wait for a daemon, because this process may end before.
struct DeletionFile: Sendable {
    static let folder = "deletions"

    private let file: UserFile

    init(of bundle: BundleID, in locations: Locations) {
        file = UserFile(path: "\(locations.state)/\(Self.folder)/\(bundle.name)")
    }

    func read() throws -> SavedActivities? { try file.read(limit: Limits.frameBytes).flatMap(Self.decode) }

    /// Together with those of another process.
    func add(_ saved: SavedActivities) throws {
        try file.change(limit: Limits.frameBytes) { before in
            Result {
                let all = saved.union(with: try before.flatMap(Self.decode))
                let bytes = try all.encoded()
                return bytes == before ? nil : bytes
            }
        }.get()
    }

    /// Unless another process added some.
    func remove(_ saved: SavedActivities) throws {
        try file.change(limit: Limits.frameBytes) { before in
            Result { try before.flatMap(Self.decode) == saved ? [] : nil }
        }.get()
    }

    private static func decode(_ bytes: [UInt8]) throws -> SavedActivities? {
        bytes.isEmpty ? nil : try SavedActivities(encoded: bytes)
    }
}

extension ActivityCenter {
    /// The daemon answers within milliseconds.
    static let deletionPatience = Duration.seconds(5)

    /// Calls `done` once, in the background. Stores the request if there is no daemon.
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
        parts.notify(queue: .global()) {
            self.forgetStoredDeletions()
            for waiter in waiters { waiter(()) }
        }
    }

    private func isNotDeleted(_ saved: SavedActivities, _ failure: Failure) {
        guard failure.code == .connectionUnavailable else {
            // The file stays, for the app's next process.
            state.withLock { $0.deletions.stored = nil }
            return log("the daemon could not delete saved activities: \(failure)")
        }
        state.withLock { $0.deletions.forDaemon = saved.union(with: $0.deletions.forDaemon) }
    }

    /// On the connection's thread.
    func daemonIsNotThere() {
        let (waiters, new) = state.withLock { state in
            defer { state.deletions.waiters = [] }
            let pending = state.deletions.forDaemon
            return (state.deletions.waiters, pending == state.deletions.stored ? nil : pending)
        }
        if let new { store(new) }
        for waiter in waiters { waiter(()) }
    }

    private var deletionFile: DeletionFile? {
        environment.bundle.map { DeletionFile(of: $0, in: environment.locations) }
    }

    private func store(_ saved: SavedActivities) {
        do {
            try deletionFile?.add(saved)
            state.withLock { $0.deletions.stored = saved.union(with: $0.deletions.stored) }
        } catch {
            log("saved activities are deleted only if a daemon starts while this app runs: \(error)")
        }
    }

    /// On the connection's thread, before the daemon learns of anything new.
    func readStoredDeletions() {
        let isRead = state.withLock { state in
            defer { state.deletions.isFileRead = true }
            return state.deletions.isFileRead
        }
        guard !isRead else { return }
        do {
            guard let saved = try deletionFile?.read() else { return }
            state.withLock { state in
                state.deletions.stored = saved
                state.deletions.forDaemon = saved.union(with: state.deletions.forDaemon)
            }
        } catch {
            log("stored deletions of saved activities cannot be read: \(error)")
        }
    }

    private func forgetStoredDeletions() {
        let stored = state.withLock { state in
            state.deletions.forDaemon == nil ? state.deletions.stored.take() : nil
        }
        guard let stored else { return }
        do { try deletionFile?.remove(stored) } catch { log("stored deletions cannot be removed: \(error)") }
    }
}

extension SavedActivities {
    fileprivate func union(with others: SavedActivities?) -> SavedActivities {
        others.map { union($0) } ?? self
    }
}
