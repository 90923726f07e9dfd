// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How many clients, and how long they may take.
package struct ClientLimits: Hashable, Sendable {
    /// Connected at a time.
    package var clients = 256
    /// From connecting to the hello.
    package var hello: Duration = .seconds(10)

    package init() {}
}

/// One connection on the daemon's socket: first the hello, then messages, requests and answers both ways.
/// `Waiter` is whoever waits for a client's answer.
package struct ClientStateMachine<Waiter>: ~Copyable {
    private enum State: ~Copyable {
        /// It connected and said nothing yet. Can transition to: open, closed.
        case awaitingHello(deadline: Instant)
        /// Can transition to: closed.
        case open(OpenState)
        case closed
    }

    private struct OpenState {
        /// What the client has not answered yet.
        var waiting: [UInt64: (waiter: Waiter, deadline: Instant)] = [:]
        var lastRequest: UInt64 = 0
    }

    private var state: State

    package init(now: Instant, limits: ClientLimits = ClientLimits()) {
        self.init(.awaitingHello(deadline: now.advanced(by: limits.hello)))
    }

    private init(_ state: consuming State) { self.state = state }

    package var nextDeadline: Instant? {
        switch state {
        case .awaitingHello(let deadline): deadline
        case .open(let open): open.waiting.isEmpty ? nil : open.waiting.values.lazy.map { $0.deadline }.min()
        case .closed: nil
        }
    }

    package var isOpen: Bool {
        switch state {
        case .open: true
        case .awaitingHello: false
        case .closed: false
        }
    }

    package enum FrameAction {
        /// The versions agree. Who is it? `admitted` or `closed` follows.
        case identify(LocalHello, version: UInt32, request: UInt64)
        case handle(LocalMessage, request: UInt64)
        case complete(Waiter, LocalMessage)
        /// Say so, and close.
        case refuse(Failure, request: UInt64)
        /// An answer that came too late, or a frame after the end.
        case ignore
    }

    package mutating func frameReceived(_ frame: LocalFrame) -> FrameAction {
        switch consume state {
        case .awaitingHello(let deadline):
            guard case .hello(let hello) = frame.message else {
                self = Self(.closed)
                return .refuse(Failure(.malformed, "the first message is a hello"), request: frame.request)
            }
            let ours = ProtocolVersion.local
            let version = ProtocolVersion.agreed(
                ours: ours, theirMinimum: hello.minimumVersion, theirMaximum: hello.maximumVersion)
            guard let version else {
                self = Self(.closed)
                return .refuse(versionFailure(hello), request: frame.request)
            }
            self = Self(.awaitingHello(deadline: deadline))
            return .identify(hello, version: version, request: frame.request)
        case .open(var open):
            if frame.answer != 0 {
                let found = open.waiting.removeValue(forKey: frame.answer)
                self = Self(.open(open))
                guard let found else { return .ignore }
                return .complete(found.waiter, frame.message)
            }
            if case .hello = frame.message {
                // `closed` follows, and hands over those who wait.
                self = Self(.open(open))
                return .refuse(Failure(.malformed, "a second hello"), request: frame.request)
            }
            self = Self(.open(open))
            return .handle(frame.message, request: frame.request)
        case .closed:
            self = Self(.closed)
            return .ignore
        }
    }

    package mutating func admitted() {
        switch consume state {
        case .awaitingHello: self = Self(.open(OpenState()))
        case .open: preconditionFailure("a client is admitted once")
        case .closed: self = Self(.closed)
        }
    }

    /// The number for a request to the client; nil if it left. Then nobody waits.
    package mutating func requested(by waiter: Waiter, deadline: Instant) -> UInt64? {
        switch consume state {
        case .awaitingHello(let deadline):
            self = Self(.awaitingHello(deadline: deadline))
            return nil
        case .open(var open):
            open.lastRequest += 1
            open.waiting[open.lastRequest] = (waiter, deadline)
            self = Self(.open(open))
            return open.lastRequest
        case .closed:
            self = Self(.closed)
            return nil
        }
    }

    package enum DeadlineAction {
        /// It never said hello: say so, and close.
        case refuse(Failure)
        /// These get no answer in time; a later one is ignored.
        case giveUp([Waiter])
    }

    package mutating func deadlineReached(now: Instant) -> DeadlineAction {
        switch consume state {
        case .awaitingHello(let deadline):
            guard deadline <= now else {
                self = Self(.awaitingHello(deadline: deadline))
                return .giveUp([])
            }
            self = Self(.closed)
            return .refuse(Failure(.malformed, "no hello came in time"))
        case .open(var open):
            let late = open.waiting.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
            for (request, _) in late { open.waiting[request] = nil }
            self = Self(.open(open))
            return .giveUp(late.map { $0.value.waiter })
        case .closed:
            self = Self(.closed)
            return .giveUp([])
        }
    }

    /// The connection ended, or this side ends it. Those who wait in vain, in the order they asked.
    package mutating func closed() -> [Waiter] {
        switch consume state {
        case .awaitingHello:
            self = Self(.closed)
            return []
        case .open(let open):
            self = Self(.closed)
            return open.waiting.sorted { $0.key < $1.key }.map { $0.value.waiter }
        case .closed:
            self = Self(.closed)
            return []
        }
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
