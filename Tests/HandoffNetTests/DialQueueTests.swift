// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffNet

@Suite struct DialQueueTests {
    @Test func waitsInOrderForAPlace() {
        var queue = DialQueue<String, Int>(atOnce: 2)
        #expect((1...5).map { queue.arrived($0, to: "phone") } == [1, 2, nil, nil, nil])
        #expect(queue.settled(to: "phone") == 3)
        #expect(queue.arrived(6, to: "phone") == nil)
        #expect((1...5).map { _ in queue.settled(to: "phone") } == [4, 5, 6, nil, nil])
        #expect((7...9).map { queue.arrived($0, to: "phone") } == [7, 8, nil])
    }

    @Test func devicesDoNotWaitForOneAnother() {
        var queue = DialQueue<String, Int>(atOnce: 1)
        #expect(queue.arrived(1, to: "phone") == 1)
        #expect(queue.arrived(2, to: "laptop") == 2)
        #expect(queue.arrived(3, to: "laptop") == nil)
        #expect(queue.settled(to: "phone") == nil)
        #expect(queue.settled(to: "laptop") == 3)
    }

    @Test func manyAtOnceAreFewerThanAStrangersLimit() {
        #expect(DialQueue<String, Int>().atOnce * 3 <= WaitingCallers.each)
    }
}
