// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@Suite struct LinkElectionTests {
    private let low = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
    private let high = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))

    private func link(by dialler: DeviceID, boot: UInt64 = 1, at seconds: Int = 0) -> LinkElection.Candidate {
        LinkElection.Candidate(
            dialler: dialler, boot: BootID(boot), establishedAt: Instant(sinceZero: .seconds(seconds)))
    }

    @Test func theLowerDiallersLinkStaysInEitherOrder() {
        #expect(LinkElection.verdict(current: link(by: low), newcomer: link(by: high, at: 1)) == .keepCurrent)
        #expect(LinkElection.verdict(current: link(by: high), newcomer: link(by: low, at: 1)) == .takeNewcomer)
    }

    @Test func aSecondLinkOfOneDiallerReplacesTheFirst() {
        #expect(LinkElection.verdict(current: link(by: low), newcomer: link(by: low)) == .takeNewcomer)
        #expect(LinkElection.verdict(current: link(by: high), newcomer: link(by: high)) == .takeNewcomer)
    }

    // Shows Y02
    @Test func aDeviceStartedAnewReplacesItsOldLink() {
        #expect(LinkElection.verdict(current: link(by: low), newcomer: link(by: high, boot: 2)) == .takeNewcomer)
    }

    // Shows Y02
    @Test func whoeverDialsLongAfterwardsHasLostTheOldLink() {
        #expect(LinkElection.verdict(current: link(by: low), newcomer: link(by: high, at: 10)) == .keepCurrent)
        #expect(LinkElection.verdict(current: link(by: low), newcomer: link(by: high, at: 11)) == .takeNewcomer)
    }
}
