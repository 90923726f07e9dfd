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
        var connections = UnprovenConnections<Int>()
        for number in 0..<1000 { _ = connections.arrived(number, from: "source \(number % 40)") }
        #expect(connections.count == connections.total)
    }
}
