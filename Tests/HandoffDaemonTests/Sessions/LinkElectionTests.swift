// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct LinkElectionTests {
    private static let worse = LinkPreference(rank: 1)

    private func link(
        boot: UInt64 = 1, choice: UInt64 = 0, at milliseconds: Int = 0, _ preference: LinkPreference = .direct
    ) -> LinkElection.Candidate {
        LinkElection.Candidate(
            boot: BootID(boot), choice: choice, greetedAt: Instant(sinceZero: .milliseconds(milliseconds)),
            preference: preference)
    }

    private func choice(_ current: LinkElection.Candidate, _ newcomer: LinkElection.Candidate) -> LinkElection.Verdict {
        LinkElection.choice(current: current, of: current.preference, newcomer: newcomer)
    }

    @Test func exactlyOneOfTwoDevicesChooses() {
        let low = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
        let high = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))
        #expect(LinkElection.isChooser(low, with: high) && !LinkElection.isChooser(high, with: low))
    }

    @Test func aProvenLinkBeatsAnUnprovenLink() {
        #expect(LinkElection.choice(current: nil, of: .direct, newcomer: link()) == .takeNewcomer)
    }

    @Test func theCurrentLinkOutlivesADialThatCrossed() {
        #expect(choice(link(), link(at: 2000)) == .keepCurrent)
    }

    // Shows Y02
    @Test func laterHelloReplacesCurrentLink() {
        #expect(choice(link(), link(at: 2001)) == .takeNewcomer)
    }

    // Shows Y02
    @Test func restartedDeviceReplacesItsOldLink() {
        #expect(choice(link(), link(boot: 2)) == .takeNewcomer)
        #expect(
            LinkElection.latest(current: link(choice: 7), newcomer: link(boot: 2, choice: 1)) == .takeNewcomer)
    }

    @Test func aLateHelloOfADaemonThatIsGoneReplacesNothing() {
        #expect(choice(link(boot: 2), link(at: 60_000)) == .keepCurrent)
        #expect(
            LinkElection.latest(current: link(boot: 2, choice: 1), newcomer: link(choice: 7, at: 60_000))
                == .keepCurrent)
    }

    @Test func theOtherSideFollowsTheLastChoiceInAnyOrder() {
        #expect(LinkElection.latest(current: link(choice: 1), newcomer: link(choice: 2)) == .takeNewcomer)
        #expect(LinkElection.latest(current: link(choice: 2), newcomer: link(choice: 1, at: 60_000)) == .keepCurrent)
    }

    // MARK: Preferences of routes

    @Test func aLinkOfABetterWayTakesOverInUse() {
        #expect(choice(link(Self.worse), link(at: 1)) == .takeNewcomer)
        #expect(choice(link(Self.worse), link(at: 3_600_000)) == .takeNewcomer)
        #expect(LinkElection.choice(current: nil, of: Self.worse, newcomer: link()) == .takeNewcomer)
    }

    /// Even if the other side seems to have lost the better link: that link is checked first.
    @Test func aLinkOfAWorseWayTakesOverFromNone() {
        #expect(choice(link(), link(at: 1, Self.worse)) == .keepCurrent)
        #expect(choice(link(), link(at: 3_600_000, Self.worse)) == .keepCurrent)
        #expect(LinkElection.choice(current: nil, of: .direct, newcomer: link(Self.worse)) == .keepCurrent)
    }

    @Test func restartedDaemonIsTakenOnAnyPath() {
        #expect(choice(link(), link(boot: 2, Self.worse)) == .takeNewcomer)
        #expect(choice(link(boot: 2, Self.worse), link()) == .keepCurrent)
    }

    @Test func theOtherSideFollowsTheChoiceDespiteAWorseRoute() {
        #expect(LinkElection.latest(current: link(choice: 1), newcomer: link(choice: 2, Self.worse)) == .takeNewcomer)
        #expect(LinkElection.latest(current: link(choice: 2, Self.worse), newcomer: link(choice: 1)) == .keepCurrent)
    }

    @Test func onlyABetterWayIsDialledBesideASession() {
        #expect(LinkElection.isWorthwhile(Self.worse, beside: nil))
        #expect(LinkElection.isWorthwhile(.direct, beside: Self.worse))
        #expect(!LinkElection.isWorthwhile(.direct, beside: .direct))
        #expect(!LinkElection.isWorthwhile(Self.worse, beside: .direct))
    }
}
