// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct SessionStateMachineTests {
    private typealias Machine = SessionStateMachine<Int>

    private static func hello(_ versions: ClosedRange<UInt32> = 1...1, boot: UInt64 = 1) -> PeerHello {
        PeerHello(versions: versions, boot: BootID(boot), rosterDigest: [], software: DisplayText(cleaning: "test"))
    }

    private func second(_ seconds: Double) -> Instant { Instant(sinceZero: .seconds(seconds)) }

    private func established(isDialled: Bool = true) -> Machine {
        var machine = Machine(hello: Self.hello(), isDialled: isDialled)
        _ = machine.linkOpened(now: .zero)
        _ = machine.frameReceived(PeerFrame(.hello(Self.hello(boot: 2))), now: .zero)
        return machine
    }

    private func failure(_ code: Failure.Code) -> Failure { Failure(code, "") }

    // MARK: Hello

    @Test func saysHelloFirst() {
        var machine = Machine(hello: Self.hello(), isDialled: true)
        #expect(machine.linkOpened(now: .zero) == [.send(PeerFrame(.hello(Self.hello())))])
        let deadline = machine.nextDeadline
        #expect(deadline == Instant.zero.advanced(by: SessionLimits.helloDeadline))
    }

    @Test func isOpenOnceTheHellosAgree() {
        var machine = Machine(hello: Self.hello(1...2), isDialled: true)
        _ = machine.linkOpened(now: .zero)
        let theirs = Self.hello(2...3)
        #expect(machine.frameReceived(PeerFrame(.hello(theirs)), now: .zero) == [.opened(theirs)])
        let version = machine.agreedVersion
        #expect(version == 2)
    }

    @Test func aHelloThatIsHeldBackComesAfterTheirs() {
        var machine = Machine(hello: Self.hello(), isDialled: true)
        #expect(machine.linkOpened(holdingHello: true, now: .zero) == [])
        let theirs = Self.hello(boot: 2)
        #expect(machine.frameReceived(PeerFrame(.hello(theirs)), now: .zero) == [.greeted(theirs)])
        var ours = Self.hello()
        ours.choice = 5
        #expect(machine.sayHello(ours, now: .zero) == [.send(PeerFrame(.hello(ours))), .opened(theirs)])
        let isEstablished = machine.isEstablished
        #expect(isEstablished)
    }

    @Test func aGreetedLinkCanBeClosedWithoutAHello() {
        var machine = Machine(hello: Self.hello(), isDialled: false)
        _ = machine.linkOpened(holdingHello: true, now: .zero)
        _ = machine.frameReceived(PeerFrame(.hello(Self.hello(boot: 2))), now: .zero)
        let why = failure(.cancelled)
        #expect(machine.close(why) == [.send(PeerFrame(.goodbye(why))), .closeLink, .ended(why)])
        #expect(machine.sayHello(Self.hello(), now: .zero) == [])
    }

    @Test func withheldHelloKeepsDeadlineForTheirs() {
        var machine = Machine(hello: Self.hello(), isDialled: false)
        _ = machine.linkOpened(holdingHello: true, now: .zero)
        let actions = machine.deadlineReached(now: .zero.advanced(by: SessionLimits.helloDeadline))
        #expect(actions.last == .ended(failure(.connectionUnavailable)))
    }

    // Shows Y07
    @Test(arguments: [2...3 as ClosedRange<UInt32>, 7...7])
    func saysGoodbyeToAVersionOutsideTheRange(theirs: ClosedRange<UInt32>) {
        var machine = Machine(hello: Self.hello(1...1), isDialled: true)
        _ = machine.linkOpened(now: .zero)
        let why = failure(.versionUnsupported)
        #expect(
            machine.frameReceived(PeerFrame(.hello(Self.hello(theirs))), now: .zero)
                == [.send(PeerFrame(.goodbye(why))), .closeLink, .ended(why)])
    }

    @Test func invertedVersionRangeIsRefused() {
        var machine = Machine(hello: Self.hello(1...1), isDialled: true)
        _ = machine.linkOpened(now: .zero)
        var theirs = Self.hello()
        theirs.minimumVersion = 5
        theirs.maximumVersion = 1
        let actions = machine.frameReceived(PeerFrame(.hello(theirs)), now: .zero)
        #expect(actions.last == .ended(failure(.versionUnsupported)))
    }

    @Test(arguments: [PeerMessage.ping, .advertising(.boardRequest), .roster(RosterUpdate()), .unknown])
    func refusesAMessageBeforeHello(message: PeerMessage) {
        var machine = Machine(hello: Self.hello(), isDialled: false)
        _ = machine.linkOpened(now: .zero)
        let actions = machine.frameReceived(PeerFrame(message, request: 1), now: .zero)
        #expect(actions.last == .ended(failure(.malformed)))
    }

    @Test func takesAGoodbyeInPlaceOfAHello() {
        var machine = Machine(hello: Self.hello(), isDialled: false)
        _ = machine.linkOpened(now: .zero)
        let why = failure(.versionUnsupported)
        #expect(machine.frameReceived(PeerFrame(.goodbye(why)), now: .zero) == [.closeLink, .ended(why)])
    }

    @Test func refusesASecondHello() {
        var machine = established()
        let actions = machine.frameReceived(PeerFrame(.hello(Self.hello())), now: .zero)
        #expect(actions.last == .ended(failure(.malformed)))
    }

    @Test func endsWhereNoHelloComes() {
        var machine = Machine(hello: Self.hello(), isDialled: false)
        _ = machine.linkOpened(now: .zero)
        #expect(machine.deadlineReached(now: second(4.9)) == [])
        let actions = machine.deadlineReached(now: second(5))
        #expect(actions.last == .ended(failure(.connectionUnavailable)))
        let deadline = machine.nextDeadline
        #expect(deadline == nil)
    }

    // MARK: Requests

    @Test func bringsTheAnswerToWhoAsked() {
        var machine = established()
        #expect(
            machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(9), now: .zero) == [
                .send(PeerFrame(.advertising(.boardRequest), request: 1))
            ])
        #expect(
            machine.request(.advertising(.boardRequest), waiter: 2, deadline: second(9), now: .zero) == [
                .send(PeerFrame(.advertising(.boardRequest), request: 2))
            ])
        #expect(machine.frameReceived(PeerFrame(.pong, answer: 2), now: .zero) == [.complete(2, .success(.pong))])
        #expect(
            machine.frameReceived(PeerFrame(.failure(failure(.activityGone)), answer: 1), now: .zero)
                == [.complete(1, .failure(failure(.activityGone)))])
    }

    @Test func ignoresAStaleAnswer() {
        var machine = established()
        _ = machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(1), now: .zero)
        #expect(machine.deadlineReached(now: second(1)) == [.complete(1, .failure(failure(.appTimedOut)))])
        #expect(machine.frameReceived(PeerFrame(.pong, answer: 1), now: second(2)) == [])
        #expect(machine.frameReceived(PeerFrame(.pong, answer: 77), now: second(2)) == [])
        let isEstablished = machine.isEstablished
        #expect(isEstablished)
    }

    @Test func wakesForTheEarliestDeadline() {
        var machine = established()
        _ = machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(3), now: .zero)
        _ = machine.request(.advertising(.boardRequest), waiter: 2, deadline: second(2), now: .zero)
        let deadline = machine.nextDeadline
        #expect(deadline == second(2))
    }

    @Test func limitsOutstandingRequests() {
        var machine = established()
        for waiter in 0..<SessionLimits.outstandingRequests {
            _ = machine.request(.advertising(.boardRequest), waiter: waiter, deadline: second(9), now: .zero)
        }
        #expect(
            machine.request(.advertising(.boardRequest), waiter: 99, deadline: second(9), now: .zero)
                == [.complete(99, .failure(failure(.limitReached)))])
    }

    @Test func requestOutsideASessionFails() {
        var machine = Machine(hello: Self.hello(), isDialled: true)
        let refused: [SessionAction<Int>] = [.complete(1, .failure(.noSession))]
        #expect(machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(9), now: .zero) == refused)
        _ = machine.linkOpened(now: .zero)
        #expect(machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(9), now: .zero) == refused)
        _ = machine.close(failure(.cancelled))
        #expect(machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(9), now: .zero) == refused)
        #expect(machine.send(.advertising(.boardRequest), now: .zero) == [])
    }

    @Test(arguments: [true, false])
    func everyWaiterIsNotifiedOfTheEnd(byGoodbye: Bool) {
        var machine = established()
        _ = machine.request(.advertising(.boardRequest), waiter: 1, deadline: second(9), now: .zero)
        _ = machine.request(.advertising(.boardRequest), waiter: 2, deadline: second(9), now: .zero)
        let lost: [SessionAction<Int>] = [1, 2].map { .complete($0, .failure(failure(.deviceLost))) }
        if byGoodbye {
            let why = failure(.cancelled)
            #expect(
                machine.frameReceived(PeerFrame(.goodbye(why)), now: .zero) == lost + [.closeLink, .ended(why)])
        } else {
            #expect(machine.linkClosed(nil) == lost + [.ended(nil)])
        }
        #expect(machine.linkClosed(nil) == [])
        #expect(machine.frameReceived(PeerFrame(.pong, answer: 1), now: .zero) == [])
    }

    // MARK: Their requests

    @Test func answersEachRequestOnce() {
        var machine = established()
        #expect(
            machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: 9), now: .zero)
                == [.deliver(.advertising(.boardRequest), request: 9)])
        #expect(machine.answer(request: 9, with: .pong) == [.send(PeerFrame(.pong, answer: 9))])
        #expect(machine.answer(request: 9, with: .pong) == [])
        #expect(machine.answer(request: 10, with: .pong) == [])
    }

    @Test func refusesANumberThatStillWaits() {
        var machine = established()
        _ = machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: 9), now: .zero)
        let actions = machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: 9), now: .zero)
        #expect(actions.last == .ended(failure(.malformed)))
    }

    @Test func limitsUnansweredRequests() {
        var machine = established()
        let limit = UInt64(SessionLimits.unansweredRequests)
        for number in 1...limit {
            _ = machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: number), now: .zero)
        }
        #expect(
            machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: limit + 1), now: .zero)
                == [.send(PeerFrame(.failure(failure(.limitReached)), answer: limit + 1))])
    }

    private static let fetch = PeerMessage.continuation(
        .fetch(
            FetchRequest(
                activity: ActivityID(uncheckedBytes: Array(repeating: 1, count: 16)),
                continuation: ContinuationID(uncheckedBytes: Array(repeating: 2, count: 16)),
                team: .personal(AccountID(uncheckedBytes: Array(repeating: 3, count: 32))))))

    @Test(arguments: [PeerMessage.ping, .advertising(.boardRequest), fetch])
    func aQuestionThatWantsNoAnswerIsPassedOver(question: PeerMessage) {
        var machine = established()
        #expect(machine.frameReceived(PeerFrame(question), now: .zero) == [])
        let isEstablished = machine.isEstablished
        #expect(isEstablished)
    }

    @Test func nonRequestIsAnsweredAsUnimplemented() {
        var machine = established()
        for number in 1...UInt64(2 * SessionLimits.unansweredRequests) {
            let frame = PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 1))), request: number)
            #expect(
                machine.frameReceived(frame, now: .zero)
                    == [.send(PeerFrame(.failure(failure(.unimplemented)), answer: number))])
        }
        // And takes no place among the waiting requests.
        #expect(
            machine.frameReceived(PeerFrame(.advertising(.boardRequest), request: 999), now: .zero)
                == [.deliver(.advertising(.boardRequest), request: 999)])
    }

    // Shows Y07
    @Test func answersAnUnknownRequestAndIgnoresAnUnknownNotice() {
        var machine = established()
        #expect(
            machine.frameReceived(PeerFrame(.unknown, request: 5), now: .zero)
                == [.send(PeerFrame(.failure(failure(.unimplemented)), answer: 5))])
        #expect(machine.frameReceived(PeerFrame(.unknown), now: .zero) == [])
        #expect(machine.frameReceived(PeerFrame(.failure(failure(.internal))), now: .zero) == [])
    }

    // MARK: Keepalive

    private func watched(isDialled: Bool = true) -> Machine {
        var machine = established(isDialled: isDialled)
        #expect(machine.watched(true, now: .zero) == [])
        return machine
    }

    @Test func asksAfterASilence() {
        var machine = watched()
        let deadline = machine.nextDeadline
        #expect(deadline == second(5))
        #expect(machine.deadlineReached(now: second(4.9)) == [])
        #expect(machine.deadlineReached(now: second(5)) == [.send(PeerFrame(.ping, request: 1))])
        let lost = machine.nextDeadline
        #expect(lost == second(12))
        #expect(machine.frameReceived(PeerFrame(.pong, answer: 1), now: second(6)) == [])
        let next = machine.nextDeadline
        #expect(next == second(11))
    }

    @Test func theSideThatAcceptedAsksLater() {
        var machine = watched(isDialled: false)
        let deadline = machine.nextDeadline
        #expect(deadline == second(6))
        #expect(
            machine.frameReceived(PeerFrame(.ping, request: 1), now: second(5)) == [.send(PeerFrame(.pong, answer: 1))])
        let next = machine.nextDeadline
        #expect(next == second(11))
    }

    // Shows Y03
    @Test(arguments: [true, false]) func isLostAfterALongSilence(isDialled: Bool) {
        var machine = watched(isDialled: isDialled)
        _ = machine.deadlineReached(now: second(isDialled ? 5 : 6))
        #expect(machine.deadlineReached(now: second(11.9)) == [])
        let actions = machine.deadlineReached(now: second(12))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }

    // Shows Y05
    @Test func pingsOnceAMinuteWithoutWatchers() {
        var machine = established()
        let first = machine.nextDeadline
        #expect(first == second(60))
        #expect(machine.deadlineReached(now: second(60)) == [.send(PeerFrame(.ping, request: 1))])
        let lost = machine.nextDeadline
        #expect(lost == second(67))
        _ = machine.frameReceived(PeerFrame(.pong, answer: 1), now: second(60.5))
        let next = machine.nextDeadline
        #expect(next == second(120.5))
        let accepted = established(isDialled: false)
        let later = accepted.nextDeadline
        #expect(later == second(61))
    }

    // Shows Y03, Y05
    @Test func pingsAtOnceWhenWatchingBegins() {
        var machine = established()
        #expect(machine.watched(true, now: second(40)) == [.send(PeerFrame(.ping, request: 1))])
        let lost = machine.nextDeadline
        #expect(lost == second(47))
        _ = machine.frameReceived(PeerFrame(.pong, answer: 1), now: second(41))
        #expect(machine.watched(false, now: second(42)) == [])
        let rest = machine.nextDeadline
        #expect(rest == second(101))
    }

    // Shows Y05
    @Test func deadLinkIsFoundByWhatIsSent() {
        var machine = established()
        _ = machine.send(.advertising(.boardDelta(BoardDelta(revision: 1))), now: second(20))
        // Further messages do not extend the deadline.
        _ = machine.send(.advertising(.boardDelta(BoardDelta(revision: 2))), now: second(23))
        let deadline = machine.nextDeadline
        #expect(deadline == second(25))
        #expect(machine.deadlineReached(now: second(25)) == [.send(PeerFrame(.ping, request: 1))])
        let actions = machine.deadlineReached(now: second(32))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }

    // Shows Y03
    @Test func movingStreamDelaysTheEndOfASession() {
        var machine = watched()
        #expect(machine.deadlineReached(now: second(5)) == [.send(PeerFrame(.ping, request: 1))])
        machine.streamMoved(now: second(11))
        #expect(machine.deadlineReached(now: second(12)) == [])
        let actions = machine.deadlineReached(now: second(18))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }

    @Test func movingStreamDelaysItForAMinuteAlone() {
        var machine = watched()
        _ = machine.deadlineReached(now: second(5))
        for now in stride(from: 6.0, through: 65, by: 2) { machine.streamMoved(now: second(now)) }
        #expect(machine.deadlineReached(now: second(64)) == [])
        let actions = machine.deadlineReached(now: second(65))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }

    /// Its network may be gone, and the stream's not.
    @Test func doubtedLinkIsLostAlthoughAStreamMoves() {
        var machine = established()
        _ = machine.linkDoubted(now: second(1))
        machine.streamMoved(now: second(2))
        let actions = machine.deadlineReached(now: second(2.5))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }

    // Shows Y02
    @Test func aDoubtedLinkHasToAnswerSoon() {
        var machine = established()
        #expect(machine.linkDoubted(now: second(1)) == [.send(PeerFrame(.ping, request: 1))])
        let deadline = machine.nextDeadline
        #expect(deadline == second(2.5))
        // Doubting again does not extend the deadline.
        _ = machine.linkDoubted(now: second(2))
        let same = machine.nextDeadline
        #expect(same == second(2.5))
        let actions = machine.deadlineReached(now: second(2.5))
        #expect(actions.last == .ended(failure(.deviceLost)))
    }
}
