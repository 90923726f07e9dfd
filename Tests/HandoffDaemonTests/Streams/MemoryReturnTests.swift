// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDaemon

/// Shows V04: memory is returned after a load, not during one, and not without one.
@Suite struct MemoryReturnTests {
    private func second(_ number: Int) -> Instant { .zero.advanced(by: .seconds(number)) }

    @Test func returnIsNotDueWithoutAStream() {
        var memory = MemoryReturn()
        #expect(memory.nextDeadline == nil)
        let isDue = memory.deadlineReached(at: second(100))
        #expect(!isDue)
    }

    @Test func itGoesBackOnceSomeTimeAfterTheLastEnd() {
        var memory = MemoryReturn()
        memory.loadEnded(at: .zero)
        memory.loadEnded(at: second(1))
        #expect(memory.nextDeadline == second(1).advanced(by: MemoryReturn.rest))
        let isDue = [2, 3, 4].map { memory.deadlineReached(at: second($0)) }
        #expect(isDue == [false, true, false])
        #expect(memory.nextDeadline == nil)
    }

    @Test func streamsThatKeepEndingDoNotPutItOffForEver() {
        var memory = MemoryReturn()
        var times = 0
        for number in 0..<100 {
            let now = second(number)
            if memory.deadlineReached(at: now) { times += 1 }
            memory.loadEnded(at: now)
        }
        #expect(times == 9)
    }
}
