// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct ReceiverStateMachineTests {
    private let editing = ActivityState(type: try! ActivityType("com.example.editing"), title: "Letter")
    private let lost = Failure(.deviceLost, "the session ended")

    private func at(_ milliseconds: Int) -> Instant { .zero.advanced(by: .milliseconds(milliseconds)) }

    /// Shows H01, H03, B07: the hook runs before the fetch, and the state follows it. With documents, the app knows of
    /// the continuation, and is notified whether they arrive.
    @Test func documentsComeBeforeTheAppGetsItsState() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(0))
        _ = machine.appReady(at: at(1))
        _ = machine.announced(at: at(2))
        #expect(machine.fetchedWithDocuments(saving: .zero, at: at(3)) == .bring)
        #expect(machine.brought(editing, at: at(9)) == .deliver(editing))
        let phases = machine.phases.map(\.phase)
        #expect(phases.last == .documents)
    }

    @Test func documentsThatDoNotComeAreAFailure() {
        for isCancelled in [false, true] {
            var machine = ReceiverStateMachine(recipient: .app, started: at(0))
            _ = machine.begin(at: at(0))
            _ = machine.appReady(at: at(1))
            _ = machine.announced(at: at(2))
            _ = machine.fetchedWithDocuments(saving: .zero, at: at(3))
            let why = Failure(.cancelled, "not any more")
            let action = isCancelled ? machine.cancelled(why) : machine.failed(why)
            #expect(action == .fail(why, tellApp: true, cancelFetch: false))
            #expect(machine.brought(editing, at: at(4)) == .nothing)
        }
    }

    // Shows H01, H03, B07.
    @Test func appReceivesWillContinueBeforeTheStateIsFetched() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        #expect(machine.begin(at: at(1)) == .launch)
        #expect(machine.appReady(at: at(3)) == .announce)
        #expect(machine.announced(at: at(6)) == .fetch)
        #expect(machine.fetched(editing, saving: .milliseconds(2), at: at(10)) == .deliver(editing))
        #expect(machine.delivered(at: at(15)) == .complete)
        let hasEnded = machine.hasEnded
        #expect(hasEnded)
    }

    /// Shows V06.
    @Test func phasesAddUpToTheWholeTime() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(1))
        _ = machine.appReady(at: at(3))
        _ = machine.announced(at: at(6))
        _ = machine.fetched(editing, saving: .milliseconds(2), at: at(10))
        _ = machine.delivered(at: at(15))
        let phases = machine.phases
        #expect(
            phases == [
                PhaseTime(.resolve, .milliseconds(1)), PhaseTime(.launch, .milliseconds(2)),
                PhaseTime(.willContinue, .milliseconds(3)), PhaseTime(.fetch, .milliseconds(4)),
                PhaseTime(.willSave, .milliseconds(2)), PhaseTime(.deliver, .milliseconds(5)),
            ])
    }

    @Test func scriptGetsTheStateWithoutHooks() {
        var machine = ReceiverStateMachine(recipient: .requester, started: at(0))
        #expect(machine.begin(at: at(1)) == .fetch)
        #expect(machine.fetched(editing, saving: .zero, at: at(2)) == .giveToRequester(editing))
        #expect(machine.failed(lost) == .nothing)
    }

    @Test func appThatDoesNotStartReceivesNoFailure() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(0))
        let failure = Failure(.appDidNotStart, "it ended with code 1")
        #expect(machine.failed(failure) == .fail(failure, tellApp: false, cancelFetch: false))
        #expect(machine.appReady(at: at(9)) == .nothing)
    }

    /// Shows H05, B10, E01.
    @Test func originLostDuringTheFetchIsOneDidFail() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(0))
        _ = machine.appReady(at: at(1))
        _ = machine.announced(at: at(2))
        #expect(machine.failed(lost) == .fail(lost, tellApp: true, cancelFetch: false))
        #expect(machine.failed(lost) == .nothing)
        #expect(machine.fetched(editing, saving: .zero, at: at(3)) == .nothing)
    }

    /// Shows E06.
    @Test func secondContinuationCancelsTheRunningFetch() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(0))
        _ = machine.appReady(at: at(1))
        _ = machine.announced(at: at(2))
        let cancelled = Failure(.cancelled, "")
        #expect(machine.cancelled() == .fail(cancelled, tellApp: true, cancelFetch: true))
        #expect(cancelled.cocoaErrorCode == 3072)
    }

    @Test func continuationBeingDeliveredIsNotCancelled() {
        var machine = ReceiverStateMachine(recipient: .app, started: at(0))
        _ = machine.begin(at: at(0))
        _ = machine.appReady(at: at(1))
        _ = machine.announced(at: at(2))
        _ = machine.fetched(editing, saving: .zero, at: at(3))
        #expect(machine.cancelled() == .nothing)
        #expect(machine.delivered(at: at(4)) == .complete)
    }

    /// In any order of events: hooks in order, one outcome, and nothing after it.
    @Test(arguments: 0..<500) func anyScheduleEndsInAtMostOneOutcome(seed: UInt64) {
        var random = Randomness.seeded(seed)
        let recipient: ReceiverStateMachine.Recipient = Bool.random(using: &random) ? .app : .requester
        var machine = ReceiverStateMachine(recipient: recipient, started: .zero)
        var announced = false
        var toldApp = 0
        var outcomes = 0
        for step in 0..<40 {
            let now = at(step)
            let action =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: machine.begin(at: now)
                case 1: machine.appReady(at: now)
                case 2: machine.announced(at: now)
                case 3 where step.isMultiple(of: 2): machine.fetchedWithDocuments(saving: .zero, at: now)
                case 3: machine.fetched(editing, saving: .zero, at: now)
                case 6: machine.brought(editing, at: now)
                case 4: machine.delivered(at: now)
                case 5 where step > 20: machine.failed(lost)
                default: step > 30 ? machine.cancelled() : .nothing
                }
            switch action {
            case .announce: announced = true
            case .deliver:
                #expect(announced, "seed \(seed)")
                toldApp += 1
            case .fail(_, let tellApp, _):
                outcomes += 1
                if tellApp { toldApp += 1 }
            case .complete, .giveToRequester: outcomes += 1
            case .fetch:
                #expect(recipient == .requester || announced, "seed \(seed)")
            case .launch, .bring, .nothing: break
            }
        }
        let hasEnded = machine.hasEnded
        #expect(outcomes == (hasEnded ? 1 : 0), "seed \(seed)")
        #expect(toldApp <= 1, "seed \(seed)")
        if recipient == .requester { #expect(toldApp == 0, "seed \(seed)") }
    }
}
