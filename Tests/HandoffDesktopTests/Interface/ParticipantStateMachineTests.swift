// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Compares an answer outside the `#expect`, which would copy the machine.
private func same<Answer: Equatable>(
    _ answer: Answer, _ expected: Answer, sourceLocation: SourceLocation = #_sourceLocation
) { #expect(answer == expected, sourceLocation: sourceLocation) }

// Shows L05.
@Suite struct ParticipantStateMachineTests {
    private let type = try! ActivityType("com.example.reading")
    private let lost = Failure(.connectionUnavailable, "lost")
    private let refused = Failure(.notAllowed, "refused")

    private func activity(_ number: UInt8) -> ActivityID {
        ActivityID(uncheckedBytes: [UInt8](repeating: number, count: 16))
    }
    private func continuation(_ number: Int) -> ContinuationID {
        ContinuationID(uncheckedBytes: [UInt8](repeating: UInt8(number), count: 16))
    }

    @Test func theFirstWelcomeAnswersAndALaterOnePublishesAgain() {
        var machine = ParticipantStateMachine()
        same(machine.published(Publication(activity: activity(1), type: type)), false)
        same(machine.welcomed(), .answerRegistration)
        let publication = Publication(activity: activity(1), type: type)
        same(machine.published(publication), true)
        same(machine.daemonLost().isEmpty, true)
        same(machine.welcomed(), .publishAgain(publication))
        same(machine.withdrew(activity(2)), false)
        same(machine.withdrew(activity(1)), true)
        _ = machine.daemonLost()
        same(machine.welcomed(), .nothing)
    }

    @Test func publicationWithoutDaemonIsSentLater() {
        var machine = ParticipantStateMachine()
        _ = machine.welcomed()
        _ = machine.daemonLost()
        let publication = Publication(activity: activity(3), type: type)
        same(machine.published(publication), true)
        same(machine.welcomed(), .publishAgain(publication))
    }

    @Test func aRefusalAnswersTheRegistrationOrEndsIt() {
        var first = ParticipantStateMachine()
        same(first.refused(lost), .answerRegistration)
        same(first.welcomed(), .nothing)
        var second = ParticipantStateMachine()
        _ = second.welcomed()
        _ = second.daemonLost()
        same(second.refused(lost), .nothing)
        same(second.refused(refused), .end)
        same(second.refused(refused), .nothing)
    }

    @Test func announcedContinuationGetsOneOutcome() {
        var machine = ParticipantStateMachine()
        same(machine.announce(continuation(1), type), false)
        _ = machine.welcomed()
        for number in 1...3 { same(machine.announce(continuation(number), type), true) }
        same(machine.announce(continuation(1), type), false)
        same(machine.settled(continuation(2)), .init(continuation(2), type))
        same(machine.settled(continuation(2)), nil)
        same(machine.daemonLost(), [.init(continuation(1), type), .init(continuation(3), type)])
        same(machine.ended().isEmpty, true)
        same(machine.settled(continuation(1)), nil)
    }

    @Test func asManyAreAnnouncedAsTheLimitSays() {
        var machine = ParticipantStateMachine()
        _ = machine.welcomed()
        for number in 0..<ParticipantStateMachine.announcements {
            same(machine.announce(continuation(number), type), true)
        }
        same(machine.announce(continuation(200), type), false)
        _ = machine.settled(continuation(0))
        same(machine.announce(continuation(200), type), true)
    }
}

// Shows L05.
@Suite struct WatchedContinuationStateMachineTests {
    private let id = ContinuationID(uncheckedBytes: [UInt8](repeating: 7, count: 16))

    @Test func itEndsOnce() {
        var machine = WatchedContinuationStateMachine(isForCaller: false)
        same(machine.progressed(id), .tellProgress)
        same(machine.ended(), .tellEnd)
        same(machine.ended(), .nothing)
        same(machine.progressed(id), .nothing)
        same(machine.cancelled(), .nothing)
    }

    @Test func aCancellationWaitsForTheName() {
        var machine = WatchedContinuationStateMachine(isForCaller: false)
        same(machine.cancelled(), .nothing)
        same(machine.progressed(nil), .tellProgress)
        same(machine.progressed(id), .tellProgressAndCancel(id))
        same(machine.progressed(id), .tellProgress)
        same(machine.cancelled(), .cancel(id))
        same(machine.ended(), .tellEnd)
    }

    @Test(arguments: [false, true]) func onlyTheCallersContinuationIsCancelledWhenItLeaves(isForCaller: Bool) {
        var machine = WatchedContinuationStateMachine(isForCaller: isForCaller)
        _ = machine.progressed(id)
        same(machine.callerLeft(), (isForCaller ? .cancel(id) : .nothing))
        same(machine.ended(), .nothing)
        same(machine.callerLeft(), .nothing)
    }
}
