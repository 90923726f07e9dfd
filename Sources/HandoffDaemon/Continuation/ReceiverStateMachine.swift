// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// One continuation at the receiver, with exactly one outcome. An app receives `announce` (will-continue) before any
/// state is requested, and then exactly one of `deliver` (continue) and `fail` with `tellApp` (didFail).
///
///     resolved -launch-> launching -announce-> announcing -fetch-> fetching -> bringing -deliver-> delivering -> ended
///          \-------- the requester gets the state -----------------^             \-- the requester ----------> ended
struct ReceiverStateMachine: ~Copyable {
    enum Recipient: Hashable, Sendable {
        case app
        case requester
    }

    private enum State: Hashable {
        /// Can transition to: launching, fetching, ended.
        case resolved(Recipient)
        /// Can transition to: announcing, ended.
        case launching
        /// Will-continue was sent. Can transition to: fetching, ended.
        case announcing
        /// Can transition to: bringing, delivering, ended.
        case fetching(Recipient)
        /// The documents are being transferred. Can transition to: delivering, ended.
        case bringing(Recipient)
        /// Continue was sent, so the app must not see a failure. Can transition to: ended.
        case delivering
        case ended
    }

    private var state: State
    private var phaseStarted: Instant
    private(set) var phases: [PhaseTime] = []

    /// `started`: by the user. The resolve phase ends with `begin`.
    init(recipient: Recipient, started: Instant) {
        state = .resolved(recipient)
        phaseStarted = started
    }

    var hasEnded: Bool { state == .ended }

    enum Action: Hashable, Sendable {
        case launch
        case announce
        case fetch
        /// `brought` or `failed` follows.
        case bring
        case deliver(ActivityState)
        /// Also notify the origin. Nothing follows.
        case giveToRequester(ActivityState)
        /// Notify the origin. Nothing follows.
        case complete
        /// Nothing follows. `tellApp`: will-continue was sent, so didFail is due. `cancelFetch`: the origin still works
        /// on the fetch.
        case fail(Failure, tellApp: Bool, cancelFetch: Bool)
        case nothing
    }

    mutating func begin(at now: Instant) -> Action {
        guard case .resolved(let recipient) = state else { return .nothing }
        finish(.resolve, at: now)
        switch recipient {
        case .app:
            state = .launching
            return .launch
        case .requester:
            state = .fetching(.requester)
            return .fetch
        }
    }

    mutating func appReady(at now: Instant) -> Action {
        guard state == .launching else { return .nothing }
        finish(.launch, at: now)
        state = .announcing
        return .announce
    }

    mutating func announced(at now: Instant) -> Action {
        guard state == .announcing else { return .nothing }
        finish(.willContinue, at: now)
        state = .fetching(.app)
        return .fetch
    }

    /// `saving`: the fetch's share that the app spent in will-save.
    mutating func fetched(_ fetched: ActivityState, saving: Duration, at now: Instant) -> Action {
        guard case .fetching(let recipient) = state else { return .nothing }
        finishFetch(saving: saving, at: now)
        return handOver(fetched, to: recipient)
    }

    mutating func fetchedWithDocuments(saving: Duration, at now: Instant) -> Action {
        guard case .fetching(let recipient) = state else { return .nothing }
        finishFetch(saving: saving, at: now)
        state = .bringing(recipient)
        return .bring
    }

    private mutating func finishFetch(saving: Duration, at now: Instant) {
        finish(.fetch, at: now)
        phases.append(PhaseTime(.willSave, saving))
    }

    mutating func brought(_ fetched: ActivityState, at now: Instant) -> Action {
        guard case .bringing(let recipient) = state else { return .nothing }
        finish(.documents, at: now)
        return handOver(fetched, to: recipient)
    }

    private mutating func handOver(_ fetched: ActivityState, to recipient: Recipient) -> Action {
        switch recipient {
        case .app:
            state = .delivering
            return .deliver(fetched)
        case .requester:
            state = .ended
            return .giveToRequester(fetched)
        }
    }

    mutating func delivered(at now: Instant) -> Action {
        guard state == .delivering else { return .nothing }
        finish(.deliver, at: now)
        state = .ended
        return .complete
    }

    mutating func failed(_ failure: Failure) -> Action {
        end(with: failure, cancelFetch: false)
    }

    /// Ignored once the app has the state.
    mutating func cancelled(
        _ failure: Failure = Failure(.cancelled, "another continuation was started")
    ) -> Action {
        guard state != .delivering else { return .nothing }
        let isFetching = state == .fetching(.app) || state == .fetching(.requester)
        return end(with: failure, cancelFetch: isFetching)
    }

    private mutating func end(with failure: Failure, cancelFetch: Bool) -> Action {
        let tellApp: Bool
        switch state {
        case .announcing, .fetching(.app), .bringing(.app): tellApp = true
        // A didFail would be a second outcome.
        case .delivering: tellApp = false
        case .resolved, .launching, .fetching(.requester), .bringing(.requester): tellApp = false
        case .ended: return .nothing
        }
        state = .ended
        return .fail(failure, tellApp: tellApp, cancelFetch: cancelFetch)
    }

    private mutating func finish(_ phase: Phase, at now: Instant) {
        phases.append(PhaseTime(phase, phaseStarted.duration(to: now)))
        phaseStarted = now
    }
}
