// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows W04: at the device that sends.
@Suite struct OutboxStateMachineTests {
    private typealias Action = OutboxStateMachine.Action
    private let now = Instant.zero
    private let full = Failure(.stateNotWritable, "the other device could not write it to its disk; nothing is lost")

    /// On disk, for the desktop; without an answer yet if the desktop is connected.
    private func accept(
        _ machine: inout OutboxStateMachine, _ number: Int, to device: DeviceID = Sends.desktop,
        expires: WallTime? = nil
    ) throws -> [Action] {
        try machine.wished(Sends.id(number), Sends.offer(0, expires: expires), to: device, at: Sends.noon)
        #expect(machine.saved(.success(Sends.state()), of: Sends.id(number)).count == 1)
        return machine.written(Sends.id(number), nil)
    }

    private func outcomes(_ actions: [Action]) -> [OutboxStateMachine.Outcome] {
        actions.compactMap { if case .tell(_, let outcome) = $0 { outcome } else { nil } }
    }

    @Test func sendIsReportedAndHandedOverOnlyOnceOnDisk() throws {
        var machine = OutboxStateMachine()
        #expect(machine.sessionOpened(Sends.desktop).isEmpty)
        try machine.wished(Sends.id(1), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
        let actions = machine.saved(.success(Sends.state()), of: Sends.id(1))
        guard case .write(let sent)? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        #expect(sent.offer.activity == Sends.id(1))
        #expect(sent.offer.since == Sends.noon)
        #expect(!sent.offer.supportsStreams && !sent.state.supportsStreams)
        #expect(machine.written(Sends.id(1), nil) == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 1)])
        let taken = machine.answered(.success(()), of: Sends.id(1), attempt: 1, at: now)
        #expect(taken.first == .remove(Sends.id(1)))
        #expect(outcomes(taken) == [.taken])
        #expect(machine.list.isEmpty)
    }

    @Test func forADeviceThatIsAwayItWaitsAndGoesWhenItIsBack() throws {
        var machine = OutboxStateMachine()
        #expect(outcomes(try accept(&machine, 1)) == [.kept(problem: nil)])
        #expect(machine.sessionOpened(Sends.tablet).isEmpty)
        #expect(machine.sessionOpened(Sends.desktop) == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 1)])
        #expect(machine.answered(.success(()), of: Sends.id(1), attempt: 1, at: now) == [.remove(Sends.id(1))])
    }

    @Test func oneAtATimeInTheOrderOfSending() throws {
        var machine = OutboxStateMachine()
        for number in [3, 1, 2] { _ = try accept(&machine, number) }
        #expect(machine.sessionOpened(Sends.desktop) == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 1)])
        let next = machine.answered(.success(()), of: Sends.id(1), attempt: 1, at: now)
        #expect(next == [.remove(Sends.id(1)), .handOver(Sends.id(2), to: Sends.desktop, attempt: 2)])
        // An answer from an ended session is ignored.
        #expect(machine.sessionClosed(Sends.desktop).isEmpty)
        #expect(machine.sessionOpened(Sends.desktop) == [.handOver(Sends.id(2), to: Sends.desktop, attempt: 3)])
        let late = Result<Void, Failure>.failure(Failure(.deviceLost, "the session ended"))
        #expect(machine.answered(late, of: Sends.id(2), attempt: 2, at: now).isEmpty)
        #expect(machine[Sends.id(2)]?.standing == .handing(attempt: 3))
        // Whether it arrived is unknown, so it cannot be taken back.
        #expect(throws: Failure.self) { try machine.unsent(Sends.id(2)) }
        #expect(machine[Sends.id(2)]?.standing == .handing(attempt: 3))
    }

    @Test func lostSessionReportsSendsAsKept() throws {
        var machine = OutboxStateMachine()
        _ = machine.sessionOpened(Sends.desktop)
        _ = try accept(&machine, 1)
        #expect(try accept(&machine, 2).isEmpty)
        #expect(outcomes(machine.sessionClosed(Sends.desktop)) == [.kept(problem: nil), .kept(problem: nil)])
    }

    @Test func anImmediateRefusalRemovesTheSendAndIsReported() throws {
        var machine = OutboxStateMachine()
        _ = machine.sessionOpened(Sends.desktop)
        _ = try accept(&machine, 1)
        let refusal = Failure(.notAllowed, "receiving is switched off")
        let actions = machine.answered(.failure(refusal), of: Sends.id(1), attempt: 1, at: now)
        #expect(actions.first == .remove(Sends.id(1)))
        #expect(outcomes(actions) == [.refused(refusal)])
        #expect(machine.list.isEmpty)
    }

    @Test func refusedLaterItStandsInTheListWithTheReason() throws {
        var machine = OutboxStateMachine()
        _ = try accept(&machine, 1)
        _ = try accept(&machine, 2)
        _ = machine.sessionOpened(Sends.desktop)
        let refusal = Failure(.notAllowed, "receiving is switched off")
        #expect(
            machine.answered(.failure(refusal), of: Sends.id(1), attempt: 1, at: now)
                == [.note(Sends.id(1), refusal), .handOver(Sends.id(2), to: Sends.desktop, attempt: 2)])
        #expect(machine[Sends.id(1)]?.standing == .refused(refusal))
        #expect(try machine.unsent(Sends.id(1)).actions == [.remove(Sends.id(1))])
    }

    @Test func anOlderVersionIsNamed() throws {
        var machine = OutboxStateMachine()
        _ = machine.sessionOpened(Sends.desktop)
        _ = try accept(&machine, 1)
        let unknown = Failure(.unimplemented, "this device does not know that request")
        let told = outcomes(machine.answered(.failure(unknown), of: Sends.id(1), attempt: 1, at: now))
        guard case .refused(let failure)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(failure.code == .unimplemented)
        #expect(failure.reason.contains("older version"))
    }

    @Test func aFullDiskThereIsTriedAgainAfterAWhile() throws {
        var machine = OutboxStateMachine()
        _ = machine.sessionOpened(Sends.desktop)
        _ = try accept(&machine, 1)
        let actions = machine.answered(.failure(full), of: Sends.id(1), attempt: 1, at: now)
        #expect(outcomes(actions) == [.kept(problem: full)])
        #expect(machine[Sends.id(1)]?.standing == .waiting(problem: full))
        // No other activity is tried in the meantime.
        #expect(outcomes(try accept(&machine, 2)) == [.kept(problem: full)])
        let retry = now.advanced(by: SendingLimits.retry)
        let before = retry.advanced(by: .seconds(-1))
        #expect(machine.nextDeadline(now: before, wall: Sends.noon) == retry)
        #expect(machine.deadlineReached(now: before, wall: Sends.noon).isEmpty)
        #expect(
            machine.deadlineReached(now: retry, wall: Sends.noon)
                == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 2)])
    }

    /// A temporary failure is retried, in this session or the next; nothing is lost.
    @Test(arguments: [Failure.Code.appTimedOut, .stateNotWritable, .limitReached, .connectionUnavailable, .deviceLost])
    func temporaryFailuresAreRetried(_ code: Failure.Code) throws {
        let problem = Failure(code, "not now")
        for sessionEnds in [false, true] {
            var machine = OutboxStateMachine()
            _ = machine.sessionOpened(Sends.desktop)
            _ = try accept(&machine, 1)
            let actions = machine.answered(.failure(problem), of: Sends.id(1), attempt: 1, at: now)
            guard case .kept? = outcomes(actions).first else {
                Issue.record("\(actions)")
                continue
            }
            guard case .waiting = machine[Sends.id(1)]?.standing else {
                Issue.record("it does not wait: \(String(describing: machine[Sends.id(1)]))")
                continue
            }
            let again = Action.handOver(Sends.id(1), to: Sends.desktop, attempt: 2)
            if sessionEnds {
                _ = machine.sessionClosed(Sends.desktop)
                #expect(machine.sessionOpened(Sends.desktop) == [again])
                continue
            }
            let almost = now.advanced(by: SendingLimits.retry - .nanoseconds(1))
            #expect(machine.deadlineReached(now: almost, wall: Sends.noon).isEmpty)
            let retry = now.advanced(by: SendingLimits.retry)
            #expect(machine.deadlineReached(now: retry, wall: Sends.noon) == [again])
        }
        #expect(SendingLimits.retry == .seconds(600))
    }

    @Test(arguments: [Failure.Code.notAllowed, .activityGone, .malformed, .payloadTooLarge, .internal, .unspecified])
    func anyOtherAnswerIsFinal(_ code: Failure.Code) throws {
        var machine = OutboxStateMachine()
        _ = machine.sessionOpened(Sends.desktop)
        _ = try accept(&machine, 1)
        let refusal = Failure(code, "never")
        let actions = machine.answered(.failure(refusal), of: Sends.id(1), attempt: 1, at: now)
        #expect(outcomes(actions) == [.refused(refusal)])
        #expect(machine.list.isEmpty)
        #expect(machine.nextDeadline(now: now, wall: Sends.noon) == nil)
    }

    @Test func policyHoldsBackOnlyItsOwnSend() throws {
        var machine = OutboxStateMachine()
        let off = Failure(.notAllowed, "advertising is switched off for com.example.editor")
        _ = try accept(&machine, 1)
        _ = try accept(&machine, 2)
        _ = machine.sessionOpened(Sends.desktop)
        #expect(
            machine.heldBack(Sends.id(1), attempt: 1, off) == [.handOver(Sends.id(2), to: Sends.desktop, attempt: 2)])
        #expect(machine.answered(.success(()), of: Sends.id(2), attempt: 2, at: now) == [.remove(Sends.id(2))])
        #expect(machine.obstaclesChanged() == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 3)])
    }

    @Test func filesStreamsAndWhatIsTooLargeAreNotSent() throws {
        let cases: [(ActivityState, Failure.Code)] = [
            (Sends.state(.dictionary([.string("file"): .url("file:///home/anna/letter.txt")])), .filesOnlyThere),
            (ActivityState(type: Sends.type, keywords: [String(repeating: "a", count: 300 * 1024)]), .payloadTooLarge),
            (ActivityState(type: try ActivityType("com.example.other")), .malformed),
        ]
        for (state, code) in cases {
            var machine = OutboxStateMachine()
            try machine.wished(Sends.id(1), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
            let told = outcomes(machine.saved(.success(state), of: Sends.id(1)))
            guard case .refused(let failure)? = told.first else {
                Issue.record("\(told)")
                continue
            }
            #expect(failure.code == code)
            #expect(machine.list.isEmpty)
        }
    }

    @Test func savedStateIsSentIfAppQuitsBeforeAnswering() throws {
        var machine = OutboxStateMachine()
        try machine.wished(Sends.id(1), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
        let kept = SavedState(Sends.state(), saved: Sends.noon)
        let gone = Failure(.appGone, "the app quit")
        guard case .write(let sent)? = machine.saved(.failure(gone), kept: kept, of: Sends.id(1)).first else {
            Issue.record("nothing is written")
            return
        }
        #expect(sent.offer.saved == Sends.noon)
        try machine.wished(Sends.id(2), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
        #expect(outcomes(machine.saved(.failure(gone), of: Sends.id(2))) == [.refused(gone)])
    }

    @Test func soManyWait() throws {
        var machine = OutboxStateMachine()
        for number in 0..<SendingLimits.waiting { _ = try accept(&machine, number) }
        #expect(throws: Failure.self) {
            try machine.wished(Sends.id(100), Sends.offer(0), to: Sends.tablet, at: Sends.noon)
        }
        _ = try machine.unsent(Sends.id(7))
        #expect(outcomes(try accept(&machine, 100)) == [.kept(problem: nil)])
        #expect(SendingLimits.waiting == 32)
    }

    @Test func itsTimeIsAWeekOrItsOwn() throws {
        var machine = OutboxStateMachine()
        let soon = Sends.noon.advanced(by: .seconds(60))
        _ = try accept(&machine, 1)
        _ = try accept(&machine, 2, expires: soon)
        #expect(machine.deadlineReached(now: now, wall: soon) == [.remove(Sends.id(2))])
        let week = Sends.noon.advanced(by: .seconds(7 * 24 * 3600))
        #expect(machine[Sends.id(1)]?.until == week)
        #expect(machine.deadlineReached(now: now, wall: week) == [.remove(Sends.id(1))])
        #expect(machine.nextDeadline(now: now, wall: week) == nil)
    }

    @Test func removedDeviceHasNoWaitingSends() throws {
        var machine = OutboxStateMachine()
        _ = try accept(&machine, 1)
        _ = try accept(&machine, 2, to: Sends.tablet)
        try machine.wished(Sends.id(3), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
        _ = machine.saved(.success(Sends.state()), of: Sends.id(3))
        let actions = machine.membersChanged([Sends.laptop, Sends.tablet])
        #expect(actions.filter { $0 == .remove(Sends.id(1)) }.count == 1)
        #expect(outcomes(actions).count == 1)
        #expect(machine.list.map(\.device) == [Sends.tablet])
        // It was being written; the file is removed afterwards.
        #expect(machine.written(Sends.id(3), nil) == [.remove(Sends.id(3))])
    }

    @Test func aDiskThatIsFullHereIsARefusal() throws {
        var machine = OutboxStateMachine()
        try machine.wished(Sends.id(1), Sends.offer(0), to: Sends.desktop, at: Sends.noon)
        _ = machine.saved(.success(Sends.state()), of: Sends.id(1))
        #expect(outcomes(machine.written(Sends.id(1), full)) == [.refused(full)])
        #expect(machine.list.isEmpty)
    }

    @Test func afterARestartAllIsAsItWas() throws {
        var before = OutboxStateMachine()
        _ = try accept(&before, 1)
        var state = Sends.state()
        state.supportsStreams = false
        let sent = SentActivity(offer: try #require(before[Sends.id(1)]).offer, state: try CarriedState(state))
        var machine = OutboxStateMachine()
        machine.restored(StoredSend(device: Sends.desktop, time: Sends.noon, content: .activity(sent)))
        machine.restored(StoredSend(device: Sends.tablet, time: Sends.noon, content: .refused(Sends.arriving(2), full)))
        #expect(machine.sessionOpened(Sends.desktop) == [.handOver(Sends.id(1), to: Sends.desktop, attempt: 1)])
        #expect(machine.sessionOpened(Sends.tablet).isEmpty)
        #expect(machine.list.map(\.standing) == [.handing(attempt: 1), .refused(full)])
    }
}
