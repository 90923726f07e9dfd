// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum SessionAction<Waiter> {
    case send(PeerFrame)
    /// This side's hello is held back: call `sayHello` now, or close.
    case greeted(PeerHello)
    case opened(PeerHello)
    /// `answer(request:with:)` is due, unless `request` is zero.
    case deliver(PeerMessage, request: UInt64)
    /// Exactly once for each waiter.
    case complete(Waiter, Result<PeerMessage, Failure>)
    case closeLink
    /// Once, as the last action. Nil: an orderly end.
    case ended(Failure?)
}

extension SessionAction: Equatable where Waiter: Equatable {}

/// One link to another device: first the hello, then messages, requests and answers, with a keepalive. This side's
/// hello may be held back: see `LinkElection`. A `Waiter` is returned with the answer to its request.
struct SessionStateMachine<Waiter>: ~Copyable {
    private enum State {
        /// Can transition to: awaitingHello, closed.
        case idle(Opening)
        /// The other side's hello is due; this side's is sent unless held back. Can transition to: greeted,
        /// established, closed.
        case awaitingHello(Opening, deadline: Instant)
        /// The other side's hello agrees; this side's is held back. Can transition to: established, closed.
        case greeted(PeerHello, version: UInt32, isDialled: Bool)
        /// Both hellos are sent. Can transition to: closed.
        case established(EstablishedSession<Waiter>)
        /// Final. Drops frames.
        case closed
    }

    private struct Opening {
        let hello: PeerHello
        let isDialled: Bool
        var isHeldBack = false

        var versions: ClosedRange<UInt32> { hello.minimumVersion...max(hello.minimumVersion, hello.maximumVersion) }
    }

    private var state: State

    init(hello: PeerHello, isDialled: Bool) {
        state = .idle(Opening(hello: hello, isDialled: isDialled))
    }

    var isEstablished: Bool { agreedVersion != nil }

    var agreedVersion: UInt32? {
        switch state {
        case .established(let established): established.version
        case .idle, .awaitingHello, .greeted, .closed: nil
        }
    }

    var nextDeadline: Instant? {
        switch state {
        case .awaitingHello(_, let deadline): deadline
        case .established(let established): established.nextDeadline
        case .idle, .greeted, .closed: nil
        }
    }

    // MARK: The link

    mutating func linkOpened(holdingHello: Bool = false, now: Instant) -> [SessionAction<Waiter>] {
        switch state {
        case .idle(var opening):
            opening.isHeldBack = holdingHello
            state = .awaitingHello(opening, deadline: now.advanced(by: SessionLimits.helloDeadline))
            return holdingHello ? [] : [.send(PeerFrame(.hello(opening.hello)))]
        case .awaitingHello, .greeted, .established, .closed: return []
        }
    }

    mutating func sayHello(_ hello: PeerHello, now: Instant) -> [SessionAction<Waiter>] {
        switch state {
        case .greeted(let theirs, let version, let isDialled):
            let keepalive = Keepalive(isDialled: isDialled, now: now)
            state = .established(EstablishedSession(version: version, keepalive: keepalive))
            return [.send(PeerFrame(.hello(hello))), .opened(theirs)]
        case .idle, .awaitingHello, .established, .closed: return []
        }
    }

    mutating func frameReceived(_ frame: PeerFrame, now: Instant) -> [SessionAction<Waiter>] {
        switch state {
        case .awaitingHello(let opening, _): return firstFrameReceived(frame, opening: opening, now: now)
        case .established: return sessionReceived(frame, now: now)
        // The owner answers `greeted` immediately, so no frame arrives in between.
        case .idle, .greeted, .closed: return []
        }
    }

    private mutating func sessionReceived(_ frame: PeerFrame, now: Instant) -> [SessionAction<Waiter>] {
        let verdict = changeSession { session in
            session.keepalive.heard(now: now)
            return session.verdict(on: frame)
        }
        switch verdict {
        case .act(let actions): return actions
        case .goodbye(let failure):
            let settled = changeSession { $0.outstanding.lost(failure) } ?? []
            state = .closed
            return settled + [.closeLink, .ended(failure)]
        case .refuse(let failure): return close(failure)
        case nil: return []
        }
    }

    /// Nil for an orderly end.
    mutating func linkClosed(_ failure: Failure?) -> [SessionAction<Waiter>] {
        switch state {
        case .idle, .awaitingHello, .greeted:
            state = .closed
            return [.ended(failure)]
        case .established(var established):
            state = .closed
            return established.outstanding.lost(failure) + [.ended(failure)]
        case .closed: return []
        }
    }

    mutating func deadlineReached(now: Instant) -> [SessionAction<Waiter>] {
        switch state {
        case .awaitingHello(_, let deadline):
            guard deadline <= now else { return [] }
            return close(Failure(.connectionUnavailable, "the other device did not send its hello in time"))
        case .established: return sessionDeadlineReached(now: now)
        case .idle, .greeted, .closed: return []
        }
    }

    private mutating func sessionDeadlineReached(now: Instant) -> [SessionAction<Waiter>] {
        var actions: [SessionAction<Waiter>] = []
        let verdict = changeSession { session in
            actions = session.outstanding.takeOverdue(now: now).map {
                .complete($0, .failure(Failure(.appTimedOut, "the other device did not answer in time")))
            }
            let verdict = session.keepalive.deadlineReached(now: now)
            if verdict == .ping { actions.append(.send(PeerFrame(.ping, request: session.outstanding.makeID()))) }
            return verdict
        }
        if verdict == .lost {
            actions += close(Failure(.deviceLost, "the other device was silent for too long"))
        }
        return actions
    }

    mutating func watched(_ isWatched: Bool, now: Instant) -> [SessionAction<Waiter>] {
        let isChanged = changeSession { session in
            defer { session.keepalive.isWatched = isWatched }
            return session.keepalive.isWatched != isWatched
        }
        return isChanged == true ? deadlineReached(now: now) : []
    }

    mutating func streamMoved(now: Instant) { _ = changeSession { $0.keepalive.streamMoved(now: now) } }

    mutating func linkDoubted(now: Instant) -> [SessionAction<Waiter>] {
        changeSession { session in
            session.keepalive.doubted(now: now)
            return [.send(PeerFrame(.ping, request: session.outstanding.makeID()))]
        } ?? []
    }

    /// Nil unless established. Moves the session out of `state`, so that it is modified in place.
    private mutating func changeSession<Outcome>(
        _ change: (inout EstablishedSession<Waiter>) -> Outcome
    ) -> Outcome? {
        guard case .established(var session) = state else { return nil }
        state = .closed
        let outcome = change(&session)
        state = .established(session)
        return outcome
    }

    // MARK: Our side

    mutating func send(_ message: PeerMessage, now: Instant) -> [SessionAction<Waiter>] {
        changeSession { session in
            session.keepalive.sent(now: now)
            return [.send(PeerFrame(message))]
        } ?? []
    }

    mutating func request(
        _ message: PeerMessage, waiter: Waiter, deadline: Instant, now: Instant
    ) -> [SessionAction<Waiter>] {
        changeSession { session in
            session.keepalive.sent(now: now)
            guard !session.outstanding.isFull else {
                let failure = Failure(.limitReached, "too many requests to the other device are waiting for an answer")
                return [.complete(waiter, .failure(failure))]
            }
            return [.send(PeerFrame(message, request: session.outstanding.insert(waiter, deadline: deadline)))]
        } ?? [.complete(waiter, .failure(.noSession))]
    }

    /// Ignored for a second answer and after the end.
    mutating func answer(request: UInt64, with message: PeerMessage) -> [SessionAction<Waiter>] {
        let isDue = changeSession { $0.unanswered.remove(request) != nil } ?? false
        return isDue ? [.send(PeerFrame(message, answer: request))] : []
    }

    /// `farewell`: for the other device; nil: the same.
    mutating func close(_ failure: Failure, farewell: Failure? = nil) -> [SessionAction<Waiter>] {
        switch state {
        case .idle:
            state = .closed
            return [.closeLink, .ended(failure)]
        case .awaitingHello, .greeted:
            state = .closed
            return [.send(PeerFrame(.goodbye(farewell ?? failure))), .closeLink, .ended(failure)]
        case .established(var established):
            state = .closed
            return [.send(PeerFrame(.goodbye(failure)))] + established.outstanding.lost(failure)
                + [.closeLink, .ended(failure)]
        case .closed: return []
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
                let other = theirs.minimumVersion...max(theirs.minimumVersion, theirs.maximumVersion)
                return close(
                    .versions(ours, apartFrom: other), farewell: .versions(other, apartFrom: ours))
            }
            guard !opening.isHeldBack else {
                state = .greeted(theirs, version: agreed, isDialled: opening.isDialled)
                return [.greeted(theirs)]
            }
            let keepalive = Keepalive(isDialled: opening.isDialled, now: now)
            state = .established(EstablishedSession(version: agreed, keepalive: keepalive))
            return [.opened(theirs)]
        case .goodbye(let failure):
            state = .closed
            return [.closeLink, .ended(failure)]
        case .roster, .advertising, .continuation, .sending, .streams, .ping, .pong, .failure, .unknown:
            return close(Failure(.malformed, "the other device sent a message before its hello"))
        }
    }
}

extension Failure {
    fileprivate static func versions(_ ours: ClosedRange<UInt32>, apartFrom theirs: ClosedRange<UInt32>) -> Failure {
        let older = ours.upperBound < theirs.upperBound ? "this" : "the other"
        let reason = """
            this device speaks versions \(ours.lowerBound) to \(ours.upperBound) of the protocol, \
            the other \(theirs.lowerBound) to \(theirs.upperBound): update Handoff on \(older) device
            """
        return Failure(.versionUnsupported, reason)
    }

    static let noSession = Failure(.connectionUnavailable, "this device is not connected to that device now")
}

enum SessionLimits {
    static let helloDeadline: Duration = .seconds(5)
    /// Without a frame for this time, the dialling side pings, if its session is watched or something was sent.
    static let pingAfter: Duration = .seconds(5)
    /// Otherwise. The kernel notices within seconds when the other machine vanishes, but not when its daemon hangs.
    static let idlePingAfter: Duration = .seconds(60)
    /// The accepting side waits this much longer, so that one ping serves both.
    static let acceptorPatience: Duration = .seconds(1)
    /// From a due ping to the session's end: 12 s of silence in all, so that the device shows as gone within 15 s.
    static let pingAnswer: Duration = .seconds(7)
    /// Moving streams extend it at most to this: more than any network queues.
    static let heldUpAnswer: Duration = .seconds(60)
    /// After a network change, so that a dead session is replaced within 3 seconds.
    static let probeAnswer: Duration = .milliseconds(1500)
    static let outstandingRequests = 64
    static let unansweredRequests = 64
    static let silentLinksPerDevice = 4

    /// From the first refusal of a device's earlier run to the proof of a copy. A doubted session must answer much
    /// sooner.
    static let copyIsCertainAfter: Duration = .seconds(5)
    /// After a copy's last sign of life. It calls at least every five minutes.
    static let copyIsReportedFor: Duration = .seconds(900)
}
