// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How many clients, and how long they may take.
package struct ClientLimits: Hashable, Sendable {
    /// Connected at a time.
    package var clients = 256
    /// From connecting to the hello.
    package var hello: Duration = .seconds(10)
    /// Frames that come after the hello, before it is known who says them: count. Nobody sends more than one or two.
    package var heldFrames = 16

    package init() {}
}

/// One connection on the daemon's socket: first the hello, then messages, requests and answers both ways.
/// `Waiter` is whoever waits for a client's answer.
package struct ClientStateMachine<Waiter>: ~Copyable {
    /// Plain, and the tables beside it: what changes in them changes in place.
    private enum Phase {
        /// It connected and said nothing yet. Can transition to: identifying, closed.
        case awaitingHello(deadline: Instant)
        /// It said hello, and who it is has still to be found out. Can transition to: open, closed.
        case identifying
        /// Can transition to: closed.
        case open
        case closed
    }

    private var phase: Phase
    /// What the client has not answered yet; nothing unless it is open.
    private var waiting: [UInt64: (waiter: Waiter, deadline: Instant)] = [:]
    private var lastRequest: UInt64 = 0
    /// What came since the hello; nothing unless it is being identified.
    private var held: [LocalFrame] = []
    private let limits: ClientLimits

    package init(now: Instant, limits: ClientLimits = ClientLimits()) {
        phase = .awaitingHello(deadline: now.advanced(by: limits.hello))
        self.limits = limits
    }

    package var nextDeadline: Instant? {
        switch phase {
        case .awaitingHello(let deadline): deadline
        // That it takes long is not the client's fault.
        case .identifying: nil
        case .open: waiting.values.reduce(nil) { $0.earlier($1.deadline) }
        case .closed: nil
        }
    }

    package var isOpen: Bool {
        switch phase {
        case .open: true
        case .awaitingHello, .identifying, .closed: false
        }
    }

    package enum FrameAction {
        /// The versions agree. Who is it? `admitted` or `closed` follows, at any time.
        case identify(LocalHello, version: UInt32, request: UInt64)
        case handle(LocalMessage, request: UInt64)
        case complete(Waiter, LocalMessage)
        /// Say so, and close.
        case refuse(Failure, request: UInt64)
        /// An answer that came too late, or a frame after the end; or one that is kept until it is known who says it.
        case ignore
    }

    package mutating func frameReceived(_ frame: LocalFrame) -> FrameAction {
        switch phase {
        case .awaitingHello:
            guard case .hello(let hello) = frame.message else {
                phase = .closed
                return .refuse(Failure(.malformed, "the first message is a hello"), request: frame.request)
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
                // `closed` follows, and hands over those who wait.
                return .refuse(Failure(.malformed, "a second hello"), request: frame.request)
            }
            return .handle(frame.message, request: frame.request)
        case .closed: return .ignore
        }
    }

    /// It is known who it is. What it said meanwhile, in its order, is to be received now.
    package mutating func admitted() -> [LocalFrame] {
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

    /// The number for a request to the client; nil if it left. Then nobody waits.
    package mutating func requested(by waiter: Waiter, deadline: Instant) -> UInt64? {
        guard isOpen else { return nil }
        lastRequest += 1
        waiting[lastRequest] = (waiter, deadline)
        return lastRequest
    }

    package enum DeadlineAction {
        /// It never said hello: say so, and close.
        case refuse(Failure)
        /// These get no answer in time; a later one is ignored.
        case giveUp([Waiter])
    }

    package mutating func deadlineReached(now: Instant) -> DeadlineAction {
        if case .awaitingHello(let deadline) = phase, deadline <= now {
            phase = .closed
            return .refuse(Failure(.malformed, "no hello came in time"))
        }
        let late = waiting.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (request, _) in late { waiting[request] = nil }
        return .giveUp(late.map { $0.value.waiter })
    }

    /// The connection ended, or this side ends it. Those who wait in vain, in the order they asked.
    package mutating func closed() -> [Waiter] {
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
