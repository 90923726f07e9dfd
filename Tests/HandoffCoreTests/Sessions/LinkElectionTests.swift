// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@Suite struct LinkElectionTests {
    private func link(boot: UInt64 = 1, choice: UInt64 = 0, at milliseconds: Int = 0) -> LinkElection.Candidate {
        LinkElection.Candidate(
            boot: BootID(boot), choice: choice, greetedAt: Instant(sinceZero: .milliseconds(milliseconds)))
    }

    @Test func exactlyOneOfTwoDevicesChooses() {
        let low = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
        let high = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))
        #expect(LinkElection.isChooser(low, with: high) && !LinkElection.isChooser(high, with: low))
    }

    @Test func aLinkThatIsProvedBeatsOneThatIsNot() {
        #expect(LinkElection.choice(current: nil, newcomer: link()) == .takeNewcomer)
    }

    @Test func theCurrentLinkOutlivesADialThatCrossed() {
        #expect(LinkElection.choice(current: link(), newcomer: link(at: 2000)) == .keepCurrent)
    }

    // Shows Y02
    @Test func whoeverSaysHelloAfterwardsHasLostTheCurrentLink() {
        #expect(LinkElection.choice(current: link(), newcomer: link(at: 2001)) == .takeNewcomer)
    }

    // Shows Y02
    @Test func aDeviceStartedAnewReplacesItsOldLink() {
        #expect(LinkElection.choice(current: link(), newcomer: link(boot: 2)) == .takeNewcomer)
        #expect(
            LinkElection.latest(current: link(choice: 7), newcomer: link(boot: 2, choice: 1)) == .takeNewcomer)
    }

    @Test func aLateHelloOfADaemonThatIsGoneReplacesNothing() {
        #expect(LinkElection.choice(current: link(boot: 2), newcomer: link(at: 60_000)) == .keepCurrent)
        #expect(
            LinkElection.latest(current: link(boot: 2, choice: 1), newcomer: link(choice: 7, at: 60_000))
                == .keepCurrent)
    }

    @Test func theOtherSideFollowsTheLastChoiceInWhicheverOrderTheyCome() {
        #expect(LinkElection.latest(current: link(choice: 1), newcomer: link(choice: 2)) == .takeNewcomer)
        #expect(LinkElection.latest(current: link(choice: 2), newcomer: link(choice: 1, at: 60_000)) == .keepCurrent)
    }
}
