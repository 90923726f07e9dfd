// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffNet

@Suite struct UnprovenConnectionsTests {
    @Test func pushesOutTheOldestOfASourceThatHasTooMany() {
        var connections = UnprovenConnections<Int>(total: 10, perSource: 2)
        #expect(connections.arrived(1, from: "mallory") == nil)
        #expect(connections.arrived(2, from: "anna") == nil)
        #expect(connections.arrived(3, from: "mallory") == nil)
        #expect(connections.arrived(4, from: "mallory") == 1)
        #expect(connections.count == 3)
    }

    @Test func pushesOutOfTheGreediestSourceWhenAllIsFull() {
        var connections = UnprovenConnections<Int>(total: 3, perSource: 3)
        _ = connections.arrived(1, from: "anna")
        _ = connections.arrived(2, from: "mallory")
        _ = connections.arrived(3, from: "mallory")
        #expect(connections.arrived(4, from: "bert") == 2)
    }

    @Test func forgetsWhoHasProvedItself() {
        var connections = UnprovenConnections<Int>(total: 1, perSource: 1)
        _ = connections.arrived(1, from: "anna")
        connections.settled(1)
        #expect(connections.arrived(2, from: "anna") == nil)
    }

    @Test func aThousandNeverMakeMoreThanTheLimit() {
        var connections = UnprovenConnections<Int>(total: 64, perSource: 24)
        for number in 0..<1000 { _ = connections.arrived(number, from: "source \(number % 40)") }
        #expect(connections.count == connections.total)
    }

    // Shows X08. Addresses are cheap, so callers that proved less cannot displace callers that proved more.
    @Test func unprovenCallersDoNotEvictProvenCallers() {
        var waiting = WaitingCallers()
        #expect(waiting.arrived(1, from: "anna") == nil)
        #expect(waiting.called(1, by: "device", .member) == nil)
        waiting.memberCame(from: "berta")
        #expect(waiting.arrived(2, from: "berta") == nil)
        let pushedOut = (3..<5000).compactMap { waiting.arrived($0, from: "stranger \($0)") }
        #expect(pushedOut.count == 5000 - 3 - WaitingCallers.strangers)
        #expect(pushedOut.first == 3)
        #expect(pushedOut == pushedOut.sorted())
    }

    @Test func aCallersShareOfTheHandshakesIsLimited() {
        var waiting = WaitingCallers()
        for number in 0..<24 { #expect(waiting.called(UInt64(number), by: "device", .member) == nil) }
        #expect(waiting.called(24, by: "another", .member) == nil)
        #expect(waiting.called(25, by: "device", .member) == 0)
        // Former members and callers with a code displace one another.
        let pushedOut = (100..<200).compactMap { waiting.called($0, by: "made up \($0)", .known) }
        #expect(pushedOut == Array(100..<136))
    }

    @Test func networksOfMembersAreBounded() {
        var waiting = WaitingCallers()
        for number in 0...WaitingCallers.networks { waiting.memberCame(from: "network \(number)") }
        // The first is a stranger again, and the oldest stranger.
        #expect(waiting.arrived(0, from: "network 0") == nil)
        #expect(waiting.arrived(1, from: "network 1") == nil)
        let pushedOut = (2...).lazy.prefix(WaitingCallers.strangers)
            .compactMap { waiting.arrived($0, from: "stranger \($0)") }
        #expect(Array(pushedOut) == [0])
    }
}
