// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffHost

/// The contract of both kinds of work.
@Suite struct WorkTests {
    @Test(arguments: WorkBench.Kind.allCases) func eachResultArrivesOnceAndInTurn(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        var told: [Int] = []
        try bench.work.makeLane().run({ 7 }, then: { told.append($0) })
        #expect(told.isEmpty)
        #expect(bench.run { !told.isEmpty })
        bench.drain()
        #expect(told == [7])
    }

    @Test(arguments: WorkBench.Kind.allCases) func aLaneKeepsItsOrder(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let lanes = (0..<4).map { _ in bench.work.makeLane() }
        let busy = lanes.map { _ in Flag() }
        var told = lanes.map { _ in [Int]() }
        var overlaps = 0
        for number in 0..<50 {
            for (lane, flag) in busy.enumerated() {
                try lanes[lane].run(
                    { flag.raise() },
                    then: { wasRaised in
                        told[lane].append(number)
                        if wasRaised { overlaps += 1 }
                    })
            }
        }
        #expect(bench.run { told.allSatisfy { $0.count == 50 } })
        #expect(told.allSatisfy { $0 == Array(0..<50) })
        #expect(overlaps == 0, "two jobs of one lane were done at a time")
    }

    @Test(arguments: WorkBench.Kind.allCases) func noMoreThanTheLimitAreDoneAtATime(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let count = Counter()
        var told = 0
        for _ in 0..<64 { try bench.work.makeLane().run({ count.pass() }, then: { told += 1 }) }
        #expect(bench.run { told == 64 })
        #expect((1...WorkLimits().atOnce).contains(count.most), "\(count.most)")
    }

    @Test(arguments: WorkBench.Kind.allCases) func jobsOverTheLimitAreRefused(kind: WorkBench.Kind) throws {
        var limits = WorkLimits()
        limits.atOnce = 1
        limits.waiting = 3
        let bench = WorkBench(kind, limits: limits)
        let lane = bench.work.makeLane()
        var told: [Int] = []
        for number in 0..<4 { try lane.run({ number }, then: { told.append($0) }) }
        for lane in [lane, bench.work.makeLane()] {
            #expect(throws: Failure(.limitReached, "")) { try lane.run({ 9 }, then: { told.append($0) }) }
        }
        #expect(bench.run { told.count == 4 })
        #expect(told == [0, 1, 2, 3])
        try lane.run({ 4 }, then: { told.append($0) })
        #expect(bench.run { told.count == 5 })
    }

    @Test(arguments: WorkBench.Kind.allCases) func cancelledLaneReportsNoResults(kind: WorkBench.Kind) throws {
        var limits = WorkLimits()
        limits.atOnce = 1
        let bench = WorkBench(kind, limits: limits)
        let (cancelled, other) = (bench.work.makeLane(), bench.work.makeLane())
        let count = Counter()
        var told: [Int] = []
        for _ in 0..<3 { try cancelled.run({ count.pass() }, then: { told.append(1) }) }
        try other.run({}, then: { told.append(2) })
        cancelled.cancel()
        #expect(bench.run { told.count == 1 })
        bench.drain()
        #expect(told == [2])
        #expect(count.total == 1, "what had not begun was done")
        // The lane itself continues.
        try cancelled.run({}, then: { told.append(3) })
        #expect(bench.run { told.count == 2 })
    }

    @Test(arguments: WorkBench.Kind.allCases) func afterTheStopNothingIsReported(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let lanes = (0..<4).map { _ in bench.work.makeLane() }
        var told = 0
        for lane in lanes { try lane.run({}, then: { told += 1 }) }
        bench.work.stop()
        for lane in lanes { try lane.run({}, then: { told += 1 }) }
        #expect(!(kind == .virtual && bench.run { told > 0 }))
        #expect(told == 0)
    }

    /// With real threads: a blocked job delays only its own lane.
    @Test func aSlowJobDelaysOnlyItsLane() throws {
        let bench = WorkBench(.threads)
        let gate = DispatchSemaphore(value: 0)
        let slow = bench.work.makeLane()
        var told: [String] = []
        try slow.run({ _ = gate.wait(timeout: .now() + 20) }, then: { told.append("slow") })
        try slow.run({}, then: { told.append("behind it") })
        for _ in 0..<3 { try bench.work.makeLane().run({}, then: { told.append("quick") }) }
        #expect(bench.run { told.count == 3 })
        #expect(told == ["quick", "quick", "quick"])
        gate.signal()
        #expect(bench.run { told.count == 5 })
        #expect(told.suffix(2) == ["slow", "behind it"])
    }

    private final class Flag: Sendable {
        private let isRaised = Lock(false)

        /// Raises the flag for the time a thread needs to check it; returns true if it was already raised.
        func raise() -> Bool {
            let wasRaised = isRaised.withLock { isRaised in
                defer { isRaised = true }
                return isRaised
            }
            sched_yield()
            isRaised.withLock { $0 = false }
            return wasRaised
        }
    }

    private final class Counter: Sendable {
        private let state = Lock((now: 0, most: 0, total: 0))
        var most: Int { state.withLock { $0.most } }
        var total: Int { state.withLock { $0.total } }

        func pass() {
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
                $0.total += 1
            }
            sched_yield()
            state.withLock { $0.now -= 1 }
        }
    }
}
