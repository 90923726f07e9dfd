// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A session after the hellos: who waits for whom, and what each frame of the other side means for that.
struct EstablishedSession<Waiter> {
    let version: UInt32
    var keepalive: Keepalive
    var outstanding = OutstandingRequests<Waiter>()
    /// Numbers of the other side's requests that wait for us.
    var unanswered: Set<UInt64> = []

    init(version: UInt32, keepalive: Keepalive) {
        self.version = version
        self.keepalive = keepalive
    }

    var nextDeadline: Instant {
        let keepalive = keepalive.nextDeadline
        return min(keepalive, outstanding.nextDeadline ?? keepalive)
    }

    enum Verdict {
        case act([SessionAction<Waiter>])
        /// The other side ended the session.
        case goodbye(Failure)
        /// The other side broke the rules.
        case refuse(Failure)
    }

    mutating func verdict(on frame: PeerFrame) -> Verdict {
        switch frame.message {
        case .hello: return .refuse(Failure(.malformed, "the other device said hello twice"))
        case .goodbye(let failure): return .goodbye(failure)
        case .ping where frame.request != 0: return .act([.send(PeerFrame(.pong, answer: frame.request))])
        default: break
        }
        if frame.answer != 0 { return .act(answered(frame)) }
        if frame.request != 0 { return requested(frame) }
        switch frame.message {
        case .failure(let failure) where failure.code == .severalDevices:
            return .act([.deliver(frame.message, request: 0)])
        case .pong, .failure, .unknown: return .act([])
        // Nobody would hear the answer, and the app would be asked for nothing.
        case let message where message.isQuestion: return .act([])
        default: return .act([.deliver(frame.message, request: 0)])
        }
    }

    private mutating func answered(_ frame: PeerFrame) -> [SessionAction<Waiter>] {
        // A stale number is no offence: the deadline may have passed while the answer was under way.
        guard let waiter = outstanding.take(frame.answer) else { return [] }
        if case .failure(let failure) = frame.message { return [.complete(waiter, .failure(failure))] }
        return [.complete(waiter, .success(frame.message))]
    }

    private mutating func requested(_ frame: PeerFrame) -> Verdict {
        func refusal(_ code: Failure.Code, _ reason: String) -> Verdict {
            .act([.send(PeerFrame(.failure(Failure(code, reason)), answer: frame.request))])
        }
        // What is said without an answer would keep its place among the unanswered for ever.
        guard frame.message.isQuestion else {
            return refusal(.unimplemented, "this version does not know that request")
        }
        guard !unanswered.contains(frame.request) else {
            return .refuse(Failure(.malformed, "the other device used a request number twice"))
        }
        guard unanswered.count < SessionLimits.unansweredRequests else {
            return refusal(.limitReached, "too many requests wait for an answer here")
        }
        unanswered.insert(frame.request)
        return .act([.deliver(frame.message, request: frame.request)])
    }
}

extension PeerMessage {
    /// It is answered, so it means something only as a request.
    fileprivate var isQuestion: Bool {
        switch self {
        case .ping, .advertising(.boardRequest), .continuation(.fetch), .sending(.sent), .streams(.openStream): true
        case .advertising(.boardSnapshot), .advertising(.boardDelta), .continuation(.fetched),
            .continuation(.continued), .continuation(.cancelFetch), .sending(.taken), .streams(.stream),
            .streams(.streamLost):
            false
        case .hello, .roster, .pong, .failure, .goodbye, .unknown: false
        }
    }
}

extension OutstandingRequests {
    /// Everyone who still waits learns that nobody will answer.
    mutating func lost(_ failure: Failure?) -> [SessionAction<Waiter>] {
        let reason = failure.map { "the session ended: \($0.reason)" } ?? "the other device ended the session"
        return takeAll().map { .complete($0, .failure(Failure(.deviceLost, reason))) }
    }
}
