// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffSystem

final class FileCoordination: Sendable {
    /// The claims around the running code, which does not wait for them.
    @TaskLocal static var within: Set<FileClaims.ID> = []

    private struct State: ~Copyable {
        var claims = FileClaims()
        var waiting: [FileClaims.ID: @Sendable () -> Void] = [:]
        var presenters: [PresenterReference] = []

        mutating func take(_ granted: [FileClaims.ID]) -> [@Sendable () -> Void] {
            granted.compactMap { waiting.removeValue(forKey: $0) }
        }
    }

    private let state = Lock(State())

    // MARK: Claims

    /// Calls `granted` once, unless this claim ends first.
    func claim(_ claim: FileClaims.Claim, granted: @escaping @Sendable (FileClaims.ID) -> Void) -> FileClaims.ID {
        let (id, isGranted) = state.withLock { state in
            let answer = state.claims.arrived(claim)
            if !answer.isGranted { state.waiting[answer.id] = { granted(answer.id) } }
            return (answer.id, answer.isGranted)
        }
        if isGranted { granted(id) }
        return id
    }

    /// These presenters may use the files while the claim's holder asks them. Empty: it has finished.
    func asks(_ id: FileClaims.ID, _ purposes: Set<String>) {
        let granted = state.withLock { state in
            let granted = state.claims.asks(id, purposes)
            return state.take(granted)
        }
        for granted in granted { granted() }
    }

    func end(_ id: FileClaims.ID) {
        let granted = state.withLock { state in
            state.waiting[id] = nil
            let granted = state.claims.ended(id)
            return state.take(granted)
        }
        for granted in granted { granted() }
    }

    func moved(from old: FilePlace, to new: FilePlace) {
        let granted = state.withLock { state in
            let granted = state.claims.moved(from: old, to: new)
            return state.take(granted)
        }
        for granted in granted { granted() }
    }

    func places(of id: FileClaims.ID) -> [FilePlace] { state.withLock { $0.claims.places(of: id) } }

    func isInUse(_ access: FileAccess) -> Bool {
        state.withLock { $0.claims.isClaimed(access) } || !presenters(of: [access]).isEmpty
    }

    // MARK: Presenters

    func add(_ presenter: any NSFilePresenter) {
        let reference = PresenterReference(presenter)
        state.withLock { state in
            state.presenters.removeAll { $0.id == reference.id || $0.presenter == nil }
            state.presenters.append(reference)
        }
    }

    /// Also in the presenter's `deinit`: makes no reference to it.
    func remove(_ presenter: any NSFilePresenter) {
        let id = ObjectIdentifier(presenter)
        state.withLock { $0.presenters.removeAll { $0.id == id } }
    }

    var presenters: [PresenterReference] { state.withLock { $0.presenters }.filter { $0.presenter != nil } }

    /// Includes presenters of parts of the items and of folders around them.
    func presenters(of accesses: [FileAccess], except: ObjectIdentifier? = nil) -> [PresenterReference] {
        presenters.filter { reference in
            guard reference.id != except, let place = reference.place else { return false }
            return accesses.contains { $0.place.isWithin(place) || $0.coversContents && place.isWithin($0.place) }
        }
    }
}

// Unchecked: the reference is only passed on. By contract, a presenter is called on its own queue, and its two
// properties are read on any thread.
struct PresenterReference: @unchecked Sendable {
    let id: ObjectIdentifier
    private(set) weak var presenter: (any NSFilePresenter)?

    init(_ presenter: any NSFilePresenter) {
        id = ObjectIdentifier(presenter)
        self.presenter = presenter
    }

    var place: FilePlace? { presenter?.presentedItemURL.flatMap(FilePlace.init) }
    var purpose: String { Self.purpose(of: id) }

    static func purpose(of presenter: ObjectIdentifier) -> String { "presenter \(UInt(bitPattern: presenter))" }

    /// Calls the presenter on its queue; immediately on that queue if its thread is about to wait (`isWaiting`).
    func call(isWaiting: Bool = false, _ body: @escaping @Sendable (any NSFilePresenter) -> Void) {
        guard let queue = presenter?.presentedItemOperationQueue else { return }
        let within = FileCoordination.within
        let call: @Sendable () -> Void = {
            guard let presenter else { return }
            FileCoordination.$within.withValue(within) { body(presenter) }
        }
        if isWaiting, queue === OperationQueue.main, Thread.isMainThread { return call() }
        queue.addOperation(call)
    }
}
