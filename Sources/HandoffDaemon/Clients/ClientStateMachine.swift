// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// One connection on the daemon's socket: first the hello, then messages, requests and answers in both directions. A
/// `Waiter` waits for a client's answer.
struct ClientStateMachine<Waiter>: ~Copyable {
    /// Without the tables, so that they change in place.
    private enum Phase {
        /// Can transition to: identifying, closed.
        case awaitingHello(deadline: Instant)
        /// Can transition to: open, closed.
        case identifying
        /// Can transition to: closed.
        case open
        case closed
    }

    private var phase: Phase
    /// Requests to the client; empty unless it is open.
    private var waiting: [UInt64: (waiter: Waiter, deadline: Instant)] = [:]
    private var lastRequest: UInt64 = 0
    private var held: [LocalFrame] = []
    private let limits: ClientLimits

    init(now: Instant, limits: ClientLimits = ClientLimits()) {
        phase = .awaitingHello(deadline: now.advanced(by: limits.hello))
        self.limits = limits
    }

    var nextDeadline: Instant? {
        switch phase {
        case .awaitingHello(let deadline): deadline
        case .identifying: nil
        case .open: waiting.values.reduce(nil) { $0.earlier($1.deadline) }
        case .closed: nil
        }
    }

    var isOpen: Bool {
        switch phase {
        case .open: true
        case .awaitingHello, .identifying, .closed: false
        }
    }

    enum FrameAction {
        /// The caller identifies the client, and calls `admitted` or `closed` at any time.
        case identify(LocalHello, version: UInt32, request: UInt64)
        case handle(LocalMessage, request: UInt64)
        case complete(Waiter, LocalMessage)
        case refuse(Failure, request: UInt64)
        /// A late answer, a frame after the end, or a frame held until the client is identified.
        case ignore
    }

    mutating func frameReceived(_ frame: LocalFrame) -> FrameAction {
        switch phase {
        case .awaitingHello:
            guard case .hello(let hello) = frame.message else {
                phase = .closed
                return .refuse(Failure(.malformed, "the first message must be a hello"), request: frame.request)
            }
            let ours = ProtocolVersion.local
            let version = ProtocolVersion.agreed(
                ours: ours, theirMinimum: hello.minimumVersion, theirMaximum: hello.maximumVersion)
            guard let version else {
                phase = .closed
                return .refuse(versionFailure(hello), request: frame.request)
            }
            phase = .identifying
            return .identify(hello, version: version, request: frame.request)
        case .identifying:
            guard held.count < limits.heldFrames else {
                end()
                let reason = "more than \(limits.heldFrames) messages before the hello was answered"
                return .refuse(Failure(.limitReached, reason), request: frame.request)
            }
            held.append(frame)
            return .ignore
        case .open:
            if frame.answer != 0 {
                guard let found = waiting.removeValue(forKey: frame.answer) else { return .ignore }
                return .complete(found.waiter, frame.message)
            }
            if case .hello = frame.message {
                return .refuse(Failure(.malformed, "a second hello"), request: frame.request)
            }
            return .handle(frame.message, request: frame.request)
        case .closed: return .ignore
        }
    }

    /// Returns the held frames; the caller passes them in again.
    mutating func admitted() -> [LocalFrame] {
        switch phase {
        case .identifying:
            phase = .open
            defer { held = [] }
            return held
        case .awaitingHello: preconditionFailure("a client is admitted after its hello")
        case .open: preconditionFailure("a client is admitted once")
        case .closed: return []
        }
    }

    /// Nil if the client is not open: the waiter is not stored.
    mutating func requested(by waiter: Waiter, deadline: Instant) -> UInt64? {
        guard isOpen else { return nil }
        lastRequest += 1
        waiting[lastRequest] = (waiter, deadline)
        return lastRequest
    }

    enum DeadlineAction {
        case refuse(Failure)
        case giveUp([Waiter])
    }

    mutating func deadlineReached(now: Instant) -> DeadlineAction {
        if case .awaitingHello(let deadline) = phase, deadline <= now {
            phase = .closed
            return .refuse(Failure(.malformed, "no hello arrived in time"))
        }
        let late = waiting.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (request, _) in late { waiting[request] = nil }
        return .giveUp(late.map { $0.value.waiter })
    }

    mutating func closed() -> [Waiter] {
        defer { end() }
        return waiting.sorted { $0.key < $1.key }.map { $0.value.waiter }
    }

    private mutating func end() {
        phase = .closed
        waiting = [:]
        held = []
    }

    private func versionFailure(_ hello: LocalHello) -> Failure {
        let ours = ProtocolVersion.local
        return Failure(
            .versionUnsupported,
            "the client speaks versions \(hello.minimumVersion) to \(hello.maximumVersion), "
                + "this daemon \(ours.lowerBound) to \(ours.upperBound)")
    }
}

extension ClientStateMachine.FrameAction: Equatable where Waiter: Equatable {}
extension ClientStateMachine.DeadlineAction: Equatable where Waiter: Equatable {}
