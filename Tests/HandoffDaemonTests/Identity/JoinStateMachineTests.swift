// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDaemon

// Shows T02.

@Suite struct JoinStateMachineTests {
    private let fixture = NetworkAddress(host: "192.0.2.1", port: 47474)
    private let sameDeskElsewhere = NetworkAddress(host: "fe80::1%eth0", port: 47474)
    private let searchEnd = Instant.zero.advanced(by: JoinLimits.search)
    private var machine = JoinStateMachine()

    @Test mutating func dialsTheAddressGiven() {
        #expect(machine.joinRequested(address: fixture, at: .zero) == .dial(fixture, id: 1))
        #expect(!machine.isSearching)
        #expect(machine.connected(dial: 1, at: .zero) == .ask)
        #expect(machine.answered() == .take(from: fixture))
        #expect(machine.isIdle)
    }

    @Test mutating func searchesWithoutAnAddress() {
        #expect(machine.joinRequested(address: nil, at: .zero) == .search)
        #expect(machine.isSearching)
        #expect(machine.inviterFound(at: fixture) == .dial(fixture, id: 1))
        #expect(!machine.isSearching)
        #expect(machine.inviterFound(at: sameDeskElsewhere) == .nothing)
    }

    @Test mutating func searchContinuesIfFoundAddressDoesNotAnswer() {
        _ = machine.joinRequested(address: nil, at: .zero)
        _ = machine.inviterFound(at: fixture)
        #expect(machine.dialFailed(1, at: .zero) == .search)
        #expect(machine.inviterFound(at: sameDeskElsewhere) == .dial(sameDeskElsewhere, id: 2))
        #expect(machine.dialFailed(2, at: searchEnd) == .fail)
        #expect(machine.isIdle)
    }

    @Test mutating func givesUpTheSearchAtItsDeadline() {
        _ = machine.joinRequested(address: nil, at: .zero)
        #expect(machine.nextDeadline == searchEnd)
        #expect(machine.deadlineReached(now: searchEnd.advanced(by: .nanoseconds(-1))) == .nothing)
        #expect(machine.deadlineReached(now: searchEnd) == .failNotFound)
        #expect(machine.deadlineReached(now: searchEnd) == .nothing)
    }

    @Test mutating func givesUpWaitingForTheAnswer() {
        _ = machine.joinRequested(address: fixture, at: .zero)
        _ = machine.connected(dial: 1, at: .zero)
        #expect(machine.deadlineReached(now: Instant.zero.advanced(by: JoinLimits.answer)) == .failNotAnswered)
        #expect(machine.answered() == .ignore)
    }

    @Test mutating func comparesOnceAndWaitsForThePersonThere() {
        _ = machine.joinRequested(address: fixture, at: .zero)
        #expect(machine.comparisonCame(at: .zero) == .violation)
        _ = machine.connected(dial: 1, at: .zero)
        #expect(machine.comparisonCame(at: .zero) == .open)
        #expect(machine.comparisonCame(at: .zero) == .violation)
        let end = Instant.zero.advanced(by: JoinLimits.decision)
        #expect(machine.nextDeadline == end)
        var late = machine
        #expect(late.deadlineReached(now: end) == .failNotDecided)
        #expect(machine.answered() == .take(from: fixture))
    }

    @Test mutating func failsWhereTheAddressGivenDoesNotAnswer() {
        _ = machine.joinRequested(address: fixture, at: .zero)
        #expect(machine.dialFailed(1, at: .zero) == .fail)
    }

    @Test mutating func joinsOneAtATime() {
        _ = machine.joinRequested(address: nil, at: .zero)
        #expect(machine.joinRequested(address: fixture, at: .zero) == .refuse)
    }

    @Test mutating func resultOfAnOlderDialIsNothing() {
        _ = machine.joinRequested(address: fixture, at: .zero)
        machine.stopped()
        _ = machine.joinRequested(address: sameDeskElsewhere, at: .zero)
        #expect(machine.connected(dial: 1, at: .zero) == .close)
        #expect(machine.dialFailed(1, at: .zero) == .nothing)
        #expect(machine.connected(dial: 2, at: .zero) == .ask)
    }

    // MARK: A chosen inviter, whose code is public

    /// Until the number is shown.
    private mutating func compareWithTheChosen() {
        _ = machine.joinRequested(address: fixture, confirming: true, at: .zero)
        _ = machine.connected(dial: 1, at: .zero)
        #expect(machine.comparisonCame(at: .zero) == .open)
    }

    // Shows L18.
    @Test mutating func admissionByAChosenDeviceWaitsForTheUser() {
        compareWithTheChosen()
        #expect(machine.admissionCame() == .hold)
        // The member closes its connection after the admission.
        #expect(machine.answered() == .ignore)
        #expect(machine.numberConfirmed() == .take(from: fixture))
        #expect(machine.isIdle)
    }

    // Shows L18.
    @Test mutating func numberMayBeConfirmedBeforeTheAdmission() {
        compareWithTheChosen()
        #expect(machine.numberConfirmed() == .wait)
        #expect(machine.numberConfirmed() == .nothing)
        #expect(machine.numberRejected() == false)
        #expect(machine.admissionCame() == .take(from: fixture))
    }

    // Shows L18.
    @Test mutating func otherAddressesOfTheChosenAreDialledInTurn() {
        _ = machine.joinRequested(address: fixture, others: [sameDeskElsewhere], confirming: true, at: .zero)
        #expect(machine.dialFailed(1, at: .zero) == .dial(sameDeskElsewhere, id: 2))
        #expect(machine.dialFailed(1, at: .zero) == .nothing)
        #expect(machine.dialFailed(2, at: .zero) == .fail)
        #expect(machine.isIdle)
        // None of them belongs to the next attempt.
        _ = machine.joinRequested(address: fixture, at: .zero)
        #expect(machine.dialFailed(3, at: .zero) == .fail)
    }

    // Shows L18.
    @Test mutating func chosenDeviceMustCompare() {
        _ = machine.joinRequested(address: fixture, confirming: true, at: .zero)
        _ = machine.connected(dial: 1, at: .zero)
        #expect(machine.numberConfirmed() == .nothing)
        #expect(machine.admissionCame() == .violation)
        #expect(machine.isIdle)
    }

    // Shows L18.
    @Test mutating func secondAdmissionIsAViolation() {
        compareWithTheChosen()
        #expect(machine.admissionCame() == .hold)
        #expect(machine.admissionCame() == .violation)
        #expect(machine.numberConfirmed() == .nothing)
    }

    // Shows L18.
    @Test mutating func rejectedNumberEndsTheAttempt() {
        compareWithTheChosen()
        var admitted = machine
        _ = admitted.admissionCame()
        #expect(machine.numberRejected() == true)
        #expect(admitted.numberRejected() == true)
        #expect(machine.isIdle && admitted.isIdle)
        #expect(machine.admissionCame() == .ignore)
    }

    // Shows L18.
    @Test mutating func deadlineNamesWhoDidNotConfirm() {
        compareWithTheChosen()
        let end = Instant.zero.advanced(by: JoinLimits.decision)
        var admitted = machine
        _ = admitted.admissionCame()
        #expect(machine.deadlineReached(now: end) == .failNotDecided)
        #expect(admitted.deadlineReached(now: end) == .failNotConfirmed)
    }

    @Test mutating func typedCodeNeedsNoConfirmationHere() {
        _ = machine.joinRequested(address: fixture, at: .zero)
        _ = machine.connected(dial: 1, at: .zero)
        _ = machine.comparisonCame(at: .zero)
        #expect(machine.numberConfirmed() == .nothing)
        #expect(machine.admissionCame() == .take(from: fixture))
    }
}
