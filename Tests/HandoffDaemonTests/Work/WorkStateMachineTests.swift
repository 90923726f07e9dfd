// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct WorkStateMachineTests {
    private func machine(atOnce: Int = 2, waiting: Int = 100) -> WorkStateMachine<String> {
        var limits = WorkLimits()
        limits.atOnce = atOnce
        limits.waiting = waiting
        return WorkStateMachine(limits: limits)
    }

    @Test func limitsAreThoseOfTheDocuments() {
        #expect(WorkLimits().atOnce == 2)
        #expect(WorkLimits().waiting == 512)
        // There is room for a question about every client that may connect.
        #expect(WorkLimits().waiting >= ClientLimits().clients)
    }

    @Test func lanesHaveTheirTurnsInTheOrderInWhichTheyCame() throws {
        var machine = machine()
        let (a, b, c) = (machine.laneMade(), machine.laneMade(), machine.laneMade())
        var begun = try [
            machine.handedIn("a1", to: a), machine.handedIn("a2", to: a), machine.handedIn("b1", to: b),
            machine.handedIn("b2", to: b), machine.handedIn("c1", to: c),
        ].map { $0?.job }
        #expect(begun == ["a1", nil, "b1", nil, nil])
        // A lane that continues is behind those that wait.
        begun = [machine.ended(in: a)?.job, machine.ended(in: c)?.job, machine.ended(in: b)?.job]
        #expect(begun == ["c1", "a2", "b2"])
    }

    @Test func waitingJobsAreBounded() throws {
        var machine = machine(atOnce: 1, waiting: 2)
        let lane = machine.laneMade()
        for job in ["1", "2", "3"] { _ = try machine.handedIn(job, to: lane) }
        var failure: Failure?
        do throws(Failure) { _ = try machine.handedIn("4", to: lane) } catch { failure = error }
        #expect(failure == Failure(.limitReached, ""))
        _ = machine.ended(in: lane)
        let later = try machine.handedIn("4", to: lane)
        #expect(later == nil)
    }

    @Test func cancelledJobsFreeTheirPlaces() throws {
        var machine = machine(atOnce: 1, waiting: 2)
        let (a, b) = (machine.laneMade(), machine.laneMade())
        for job in ["a1", "a2", "a3"] { _ = try machine.handedIn(job, to: a) }
        machine.cancelled(a)
        for job in ["b1", "b2"] { _ = try machine.handedIn(job, to: b) }
        let next = machine.ended(in: a)?.job
        #expect(next == "b1")
    }

    @Test func afterTheStopNothingBegins() throws {
        var machine = machine(atOnce: 1)
        let lane = machine.laneMade()
        for job in ["1", "2"] { _ = try machine.handedIn(job, to: lane) }
        machine.stopped()
        let begun = [machine.ended(in: lane)?.job, try machine.handedIn("3", to: lane)?.job]
        #expect(begun == [nil, nil])
    }

    /// Events in any order.
    @Test(arguments: 0..<50) func jobsAreNeitherLostNorReordered(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        var machine = machine(atOnce: Int.random(in: 1...3, using: &random))
        let lanes = (0..<4).map { _ in machine.laneMade() }
        var last: [UInt64: Int] = [:]
        var due: [UInt64: [Int]] = [:]
        var underWay: [UInt64] = []
        func begin(_ beginning: WorkStateMachine<String>.Beginning?) {
            guard let beginning else { return }
            #expect(!underWay.contains(beginning.lane), "seed \(seed)")
            #expect(due[beginning.lane]?.removeFirst() == Int(beginning.job), "seed \(seed)")
            underWay.append(beginning.lane)
        }
        for _ in 0..<300 {
            if Bool.random(using: &random), let index = underWay.indices.randomElement(using: &random) {
                begin(machine.ended(in: underWay.remove(at: index)))
                continue
            }
            let lane = lanes.randomElement(using: &random)!
            if Int.random(in: 0..<20, using: &random) == 0 {
                machine.cancelled(lane)
                due[lane] = []
                continue
            }
            guard due.values.reduce(0, { $0 + $1.count }) < 100 else { continue }
            last[lane, default: 0] += 1
            due[lane, default: []].append(last[lane]!)
            begin(try machine.handedIn("\(last[lane]!)", to: lane))
        }
        while !underWay.isEmpty { begin(machine.ended(in: underWay.removeFirst())) }
        #expect(due.values.allSatisfy { $0.isEmpty }, "seed \(seed)")
    }
}
