// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a session asks its owner to do, in this order.
package enum SessionAction<Waiter> {
    case send(PeerFrame)
    /// The other side said hello and ours was held back: say it now, by `sayHello`, or close.
    case greeted(PeerHello)
    /// The hellos agree. From here the session carries messages.
    case opened(PeerHello)
    /// For the features. `request` is not zero where an answer is due, by `answer(request:with:)`.
    case deliver(PeerMessage, request: UInt64)
    /// Our request is settled. Each waiter comes back exactly once.
    case complete(Waiter, Result<PeerMessage, Failure>)
    /// Send what is queued, then close.
    case closeLink
    /// The session is over; comes once, and nothing after it. Nil: an orderly end.
    case ended(Failure?)
}

extension SessionAction: Equatable where Waiter: Equatable {}

/// One link to another device, from its opening to its end: hello first, then messages, requests and answers, with a
/// keepalive underneath. Knows nothing of what the messages mean.
///
/// Our hello may be held back until the other side's came: see `LinkElection`.
///
/// `Waiter` is what the owner wants back with the answer of a request.
package struct SessionStateMachine<Waiter>: ~Copyable {
    private enum State: ~Copyable {
        /// The link is not open yet. Can transition to: awaitingHello, closed.
        case idle(Opening)
        /// Theirs is due; ours was sent unless it is held back. Can transition to: greeted, established, closed.
        case awaitingHello(Opening, deadline: Instant)
        /// Theirs came and agrees, ours is held back. Can transition to: established, closed.
        case greeted(PeerHello, version: UInt32, isDialled: Bool)
        /// Both said hello. Can transition to: closed.
        case established(EstablishedSession<Waiter>)
        /// Final. What still arrives is dropped.
        case closed
    }

    private struct Opening {
        let hello: PeerHello
        let isDialled: Bool
        var isHeldBack = false

        var versions: ClosedRange<UInt32> { hello.minimumVersion...max(hello.minimumVersion, hello.maximumVersion) }
    }

    private var state: State

    private init(_ state: consuming State) { self.state = state }

    /// - Parameters:
    ///   - hello: what we say first.
    ///   - isDialled: we dialled this link.
    package init(hello: PeerHello, isDialled: Bool) {
        self.init(.idle(Opening(hello: hello, isDialled: isDialled)))
    }

    package var isEstablished: Bool { agreedVersion != nil }

    /// Nil before the hellos agreed and after the end.
    package var agreedVersion: UInt32? {
        switch state {
        case .established(let established): established.version
        case .idle: nil
        case .awaitingHello: nil
        case .greeted: nil
        case .closed: nil
        }
    }

    package var nextDeadline: Instant? {
        switch state {
        case .idle: nil
        case .awaitingHello(_, let deadline): deadline
        case .greeted: nil
        case .established(let established):
            established.nextDeadline
        case .closed: nil
        }
    }

    // MARK: The link

    package mutating func linkOpened(holdingHello: Bool = false, now: Instant) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(var opening):
            opening.isHeldBack = holdingHello
            self = Self(.awaitingHello(opening, deadline: now.advanced(by: SessionLimits.helloDeadline)))
            return holdingHello ? [] : [.send(PeerFrame(.hello(opening.hello)))]
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            return []
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            return []
        case .established(let established):
            self = Self(.established(established))
            return []
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    /// The answer to `greeted`.
    package mutating func sayHello(_ hello: PeerHello, now: Instant) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return []
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            return []
        case .greeted(let theirs, let version, let isDialled):
            let keepalive = Keepalive(isDialled: isDialled, now: now)
            self = Self(.established(EstablishedSession(version: version, keepalive: keepalive)))
            return [.send(PeerFrame(.hello(hello))), .opened(theirs)]
        case .established(let established):
            self = Self(.established(established))
            return []
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    package mutating func frameReceived(_ frame: PeerFrame, now: Instant) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return []
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            return firstFrameReceived(frame, opening: opening, now: now)
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            // The answer to `greeted` comes at once, so nothing arrives in between.
            return []
        case .established(var established):
            established.keepalive.heard(now: now)
            switch established.verdict(on: frame) {
            case .act(let actions):
                self = Self(.established(established))
                return actions
            case .goodbye(let failure):
                self = Self(.closed)
                return established.outstanding.lost(failure) + [.closeLink, .ended(failure)]
            case .refuse(let failure):
                self = Self(.established(established))
                return close(failure)
            }
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    /// The hand says that the link is gone; nil for an orderly end.
    package mutating func linkClosed(_ failure: Failure?) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle:
            self = Self(.closed)
            return [.ended(failure)]
        case .awaitingHello:
            self = Self(.closed)
            return [.ended(failure)]
        case .greeted:
            self = Self(.closed)
            return [.ended(failure)]
        case .established(var established):
            self = Self(.closed)
            return established.outstanding.lost(failure) + [.ended(failure)]
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    package mutating func deadlineReached(now: Instant) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return []
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            guard deadline <= now else { return [] }
            return close(Failure(.connectionUnavailable, "the other device did not say hello in time"))
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            return []
        case .established(var established):
            var actions: [SessionAction<Waiter>] = established.outstanding.takeOverdue(now: now).map {
                .complete($0, .failure(Failure(.appTimedOut, "the other device did not answer in time")))
            }
            let verdict = established.keepalive.deadlineReached(now: now)
            if verdict == .ping {
                actions.append(.send(PeerFrame(.ping, request: established.outstanding.makeID())))
            }
            self = Self(.established(established))
            if verdict == .lost {
                actions += close(Failure(.deviceLost, "nothing was heard from the other device for a while"))
            }
            return actions
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    /// The network changed, or the other side was heard elsewhere: asks now whether it is still there.
    package mutating func linkDoubted(now: Instant) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return []
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            return []
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            return []
        case .established(var established):
            established.keepalive.doubted(now: now)
            let id = established.outstanding.makeID()
            self = Self(.established(established))
            return [.send(PeerFrame(.ping, request: id))]
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    // MARK: Our side

    /// A message that wants no answer. Dropped unless the session is established.
    package func send(_ message: PeerMessage) -> [SessionAction<Waiter>] {
        isEstablished ? [.send(PeerFrame(message))] : []
    }

    /// Asks for one answer; `waiter` comes back with it, or with why there is none.
    package mutating func request(
        _ message: PeerMessage, waiter: Waiter, deadline: Instant
    ) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return [.complete(waiter, .failure(.noSession))]
        case .awaitingHello(let opening, let helloDeadline):
            self = Self(.awaitingHello(opening, deadline: helloDeadline))
            return [.complete(waiter, .failure(.noSession))]
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            return [.complete(waiter, .failure(.noSession))]
        case .established(var established):
            guard !established.outstanding.isFull else {
                self = Self(.established(established))
                let failure = Failure(.limitReached, "too many questions to the other device wait for an answer")
                return [.complete(waiter, .failure(failure))]
            }
            let id = established.outstanding.insert(waiter, deadline: deadline)
            self = Self(.established(established))
            return [.send(PeerFrame(message, request: id))]
        case .closed:
            self = Self(.closed)
            return [.complete(waiter, .failure(.noSession))]
        }
    }

    /// Answers the other side's request. Nothing for a second answer and after the end.
    package mutating func answer(request: UInt64, with message: PeerMessage) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle(let opening):
            self = Self(.idle(opening))
            return []
        case .awaitingHello(let opening, let deadline):
            self = Self(.awaitingHello(opening, deadline: deadline))
            return []
        case .greeted(let theirs, let version, let isDialled):
            self = Self(.greeted(theirs, version: version, isDialled: isDialled))
            return []
        case .established(var established):
            let isDue = established.unanswered.remove(request) != nil
            self = Self(.established(established))
            return isDue ? [.send(PeerFrame(message, answer: request))] : []
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    /// Says why, then ends the session.
    package mutating func close(_ failure: Failure) -> [SessionAction<Waiter>] {
        switch consume self.state {
        case .idle:
            self = Self(.closed)
            return [.closeLink, .ended(failure)]
        case .awaitingHello:
            self = Self(.closed)
            return [.send(PeerFrame(.goodbye(failure))), .closeLink, .ended(failure)]
        case .greeted:
            self = Self(.closed)
            return [.send(PeerFrame(.goodbye(failure))), .closeLink, .ended(failure)]
        case .established(var established):
            self = Self(.closed)
            return [.send(PeerFrame(.goodbye(failure)))] + established.outstanding.lost(failure)
                + [.closeLink, .ended(failure)]
        case .closed:
            self = Self(.closed)
            return []
        }
    }

    // MARK: Hello

    private mutating func firstFrameReceived(
        _ frame: PeerFrame, opening: Opening, now: Instant
    ) -> [SessionAction<Waiter>] {
        switch frame.message {
        case .hello(let theirs):
            let ours = opening.versions
            let agreed = ProtocolVersion.agreed(
                ours: ours, theirMinimum: theirs.minimumVersion, theirMaximum: theirs.maximumVersion)
            guard let agreed else {
                let reason = """
                    this device speaks versions \(ours.lowerBound) to \(ours.upperBound), \
                    the other \(theirs.minimumVersion) to \(theirs.maximumVersion); update the older one
                    """
                return close(Failure(.versionUnsupported, reason))
            }
            guard !opening.isHeldBack else {
                self = Self(.greeted(theirs, version: agreed, isDialled: opening.isDialled))
                return [.greeted(theirs)]
            }
            let keepalive = Keepalive(isDialled: opening.isDialled, now: now)
            self = Self(.established(EstablishedSession(version: agreed, keepalive: keepalive)))
            return [.opened(theirs)]
        case .goodbye(let failure):
            self = Self(.closed)
            return [.closeLink, .ended(failure)]
        case .roster, .boardSnapshot, .boardDelta, .boardRequest, .fetch, .fetched, .continued, .cancelFetch,
            .openStream, .stream, .streamLost, .ping, .pong, .failure, .unknown:
            return close(Failure(.malformed, "the other device sent a message before its hello"))
        }
    }
}

extension Failure {
    package static let noSession = Failure(.connectionUnavailable, "there is no connection to that device now")
}
