// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

extension DiscoveryStateMachineTests {
    // Shows T02
    @Test func looksForTheInviterAndGivesUp() {
        var machine = DiscoveryStateMachine(device: desktop, addresses: [], known: KnownAddresses())
        var random = Randomness.seeded(1)
        var sent = machine.membersChanged(to: [], isSearchingInviter: true, now: .zero, random: &random)
        while let next = machine.nextDeadline {
            sent += machine.deadlineReached(now: next, wall: wall(next), random: &random)
        }
        #expect(sent == Array(repeating: .announce(.invite), count: 10))
    }

    // Shows T02
    @Test func onlyAnAnswerIsAnInviter() {
        var machine = DiscoveryStateMachine(device: desktop, addresses: [], known: KnownAddresses())
        var random = Randomness.seeded(1)
        _ = machine.membersChanged(to: [], isSearchingInviter: true, now: .zero, random: &random)
        let source = NetworkAddress(host: "10.0.0.1", port: 4712)
        let other = machine.beaconReceived(
            beacon(of: tablet), sealedWith: .invite, from: source, now: .zero, wall: wall(.zero), random: &random)
        #expect(other == [])
        let inviter = machine.beaconReceived(
            beacon(of: laptop, isAnswer: true), sealedWith: .invite, from: source, now: .zero, wall: wall(.zero),
            random: &random)
        #expect(inviter == [.reportInviter(NetworkAddress(host: "10.0.0.1", port: 4711))])
    }

    // Shows T02
    @Test func anInviterAnswersAndDoesNotDial() {
        var subject = Subject(laptop, knowing: [])
        let now = second(1)
        #expect(
            subject.hear(beacon(of: desktop), with: .invite, from: desktopAir, at: now, wall: wall(now))
                == [.answer(desktopAir, .invite)])
    }
}
