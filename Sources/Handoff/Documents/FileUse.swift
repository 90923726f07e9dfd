// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffSystem

/// A use of files waits for its turn, asks presenters, and notifies them at the end.
final class FileUse: Sendable {
    enum Question: Sendable, Hashable {
        case nothing
        case letRead(saving: Bool)
        case letWrite(saving: Bool)
        case letDelete
        /// About an item in the presented folder.
        case letDeleteInside(FilePlace)
    }

    struct Part: Sendable, Hashable {
        var access: FileAccess
        var question: Question
    }

    private struct State {
        var claim: FileClaims.ID?
        var step: Once<(any Error)?>?
        var isCancelled = false
        var hasEnded = false
        var reacquirers: [(PresenterReference, Reacquirer)] = []
        var before: [FileStamp?] = []
    }

    private let coordination: FileCoordination
    private let parts: [Part]
    private let purpose: String
    /// Not asked, because the use is on its behalf.
    private let presenter: ObjectIdentifier?
    private let state = Lock(State())

    init(_ parts: [Part], for purpose: String, of presenter: ObjectIdentifier?, in coordination: FileCoordination) {
        self.parts = parts
        self.purpose = purpose
        self.presenter = presenter
        self.coordination = coordination
    }

    // MARK: Steps

    /// Calls `done` once, on any thread, when the files are available, or with an error if the use was cancelled.
    func waitForTurn(_ done: @escaping @Sendable ((any Error)?) -> Void) {
        guard let step = begin(done) else { return }
        let claim = FileClaims.Claim(
            accesses: parts.map(\.access), purpose: purpose, within: FileCoordination.within)
        let id = coordination.claim(claim) { id in
            self.has(id)
            step(nil)
        }
        has(id)
    }

    /// Called twice for an immediate grant: both the next step and a cancellation need the claim.
    private func has(_ claim: FileClaims.ID) {
        let isOver = state.withLock { state in
            if !state.hasEnded { state.claim = claim }
            return state.hasEnded
        }
        if isOver { coordination.end(claim) }
    }

    /// Calls `done` once, on any thread, when all presenters have relinquished the files, or with an error, as after
    /// `patience`. `isWaiting`: this thread only waits.
    func askPresenters(
        isWaiting: Bool = false, patience: Duration, wait: (Duration, @escaping @Sendable () -> Void) -> Void,
        done: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let claim, let step = begin(done) else { return }
        let asked = coordination.presenters(of: parts.map(\.access), except: presenter).map { presenter in
            (presenter, question(to: presenter))
        }.filter { $0.1 != .nothing }
        let places = coordination.places(of: claim)
        state.withLock { $0.before = places.map { FileStamp(path: $0.text) } }
        guard !asked.isEmpty else { return step(nil) }
        coordination.asks(claim, Set(asked.map(\.0.purpose)))
        wait(patience) { step(Self.lateness) }
        let answers = DispatchGroup()
        for (presenter, question) in asked {
            answers.enter()
            let answer = Once<(any Error)?> { error in
                if let error { step(error) }
                answers.leave()
            }
            ask(presenter, question, isWaiting: isWaiting) { answer($0) }
        }
        answers.notify(queue: .global()) { step(nil) }
    }

    /// The presenters may no longer use the files.
    func hasAsked() {
        if let claim { coordination.asks(claim, []) }
    }

    /// Notifies presenters by `telling`, and of visible changes.
    func end(tellingChanges: Bool = true, telling: () -> Void = {}) {
        let (claim, reacquirers, before) = state.withLock { state in
            defer { (state.claim, state.reacquirers, state.step, state.hasEnded) = (nil, [], nil, true) }
            return (state.claim, state.reacquirers, state.before)
        }
        guard let claim else { return telling() }
        // Queue these calls before the grant, because the next claim's holder asks the presenters again.
        for (presenter, reacquirer) in reacquirers { presenter.call { _ in reacquirer() } }
        telling()
        if tellingChanges {
            let places = coordination.places(of: claim)
            for (index, part) in parts.enumerated() where part.access.isWriting && before.indices.contains(index) {
                coordination.tellChange(at: places[index], since: before[index], except: presenter)
            }
        }
        coordination.end(claim)
    }

    /// Ends the current wait with `CocoaError.userCancelled`.
    func cancel() {
        let step = state.withLock { state in
            state.isCancelled = true
            return state.step
        }
        step?(CocoaError(.userCancelled))
    }

    var places: [FilePlace] { claim.map(coordination.places) ?? [] }
    var claim: FileClaims.ID? { state.withLock { $0.claim } }

    // MARK: Asking presenters

    static let lateness = CocoaError(
        .fileWriteUnknown,
        userInfo: [
            NSLocalizedDescriptionKey: "Another part of the app did not release the file in time."
        ])

    /// Nil if the use was cancelled; `done` was then called.
    private func begin(_ done: @escaping @Sendable ((any Error)?) -> Void) -> Once<(any Error)?>? {
        let step = Once(done)
        let isCancelled = state.withLock { state in
            state.step = step
            return state.isCancelled || state.hasEnded
        }
        guard isCancelled else { return step }
        step(CocoaError(.userCancelled))
        return nil
    }

    private func question(to presenter: PresenterReference) -> Question {
        guard let place = presenter.place else { return .nothing }
        let isOneDocument = place.isOneDocument
        return parts.map { part in
            let target = part.access.place
            if target == place || part.access.coversContents && place.isWithin(target) { return part.question }
            guard target.isWithin(place) else { return .nothing }
            if part.question == .letDelete { return .letDeleteInside(target) }
            // A presenter of a folder that merely contains the file keeps it.
            return isOneDocument ? part.question : .nothing
        }.max { $0.weight < $1.weight } ?? .nothing
    }

    private func ask(
        _ presenter: PresenterReference, _ question: Question, isWaiting: Bool,
        done: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let next: @Sendable ((() -> Void)?) -> Void = { [self] reacquirer in
            if let reacquirer { keep(Reacquirer(reacquirer), of: presenter) }
            guard claim != nil else { return done(nil) }
            switch question {
            case .nothing, .letRead(saving: false), .letWrite(saving: false): done(nil)
            case .letRead(saving: true), .letWrite(saving: true):
                presenter.call(isWaiting: isWaiting) { $0.savePresentedItemChanges { done($0) } }
            case .letDelete:
                presenter.call(isWaiting: isWaiting) { $0.accommodatePresentedItemDeletion { done($0) } }
            case .letDeleteInside(let place):
                let url = place.url
                presenter.call(isWaiting: isWaiting) {
                    $0.accommodatePresentedSubitemDeletion(at: url) { done($0) }
                }
            }
        }
        presenter.call(isWaiting: isWaiting) { presenter in
            switch question {
            case .letRead: presenter.relinquishPresentedItem(toReader: { next($0) })
            case .letWrite, .letDelete, .letDeleteInside: presenter.relinquishPresentedItem(toWriter: { next($0) })
            case .nothing: done(nil)
            }
        }
    }

    private func keep(_ reacquirer: Reacquirer, of presenter: PresenterReference) {
        let isLate = state.withLock { state in
            if !state.hasEnded { state.reacquirers.append((presenter, reacquirer)) }
            return state.hasEnded
        }
        if isLate { presenter.call { _ in reacquirer() } }
    }
}

extension FileUse.Question {
    fileprivate var weight: Int {
        switch self {
        case .nothing: 0
        case .letRead(let saving): saving ? 2 : 1
        case .letDeleteInside: 3
        case .letWrite(let saving): saving ? 5 : 4
        case .letDelete: 6
        }
    }
}

/// Called when the use ends.
//
// Unchecked: it is called once, on its presenter's queue.
private struct Reacquirer: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
    func callAsFunction() { body() }
}
