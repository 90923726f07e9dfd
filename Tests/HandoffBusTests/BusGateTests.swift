// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffBus

@Suite struct BusGateTests {
    /// For mutating calls within expectations.
    private final class Gate {
        private var gate = BusGate()

        func joined(_ caller: BusGate.Caller) -> Bool { gate.joined(caller, at: .zero) }
        func left(_ caller: BusGate.Caller) { gate.left(caller) }
        func charge(_ cost: Int, to caller: BusGate.Caller) { gate.charge(cost, to: caller, at: .zero) }
        func verdict(on caller: BusGate.Caller, at now: Duration) -> BusGate.Verdict {
            gate.verdict(on: caller, at: now)
        }
    }

    private let gate = Gate()
    private let program = BusGate.Caller.process(7)
    private let other = BusGate.Caller.process(8)

    private func verdicts(_ count: Int, on caller: BusGate.Caller, at now: Duration) -> [BusGate.Verdict] {
        (0..<count).map { _ in gate.verdict(on: caller, at: now) }
    }

    private static func isRefusal(_ verdict: BusGate.Verdict) -> Bool {
        if case .refuse(let failure) = verdict { failure.name == BusFailure.limitsExceeded } else { false }
    }

    @Test func callsOverTheBurstAreSpaced() {
        let burst = verdicts(BusLimits.callBurst, on: program, at: .zero)
        #expect(burst.allSatisfy { $0 == .serve })
        #expect(Self.isRefusal(gate.verdict(on: program, at: .zero)))
        #expect(gate.verdict(on: other, at: .zero) == .serve)
        #expect(Self.isRefusal(gate.verdict(on: program, at: BusLimits.callSpacing - .nanoseconds(1))))
        #expect(gate.verdict(on: program, at: BusLimits.callSpacing) == .serve)
        #expect(Self.isRefusal(gate.verdict(on: program, at: BusLimits.callSpacing)))
    }

    @Test func bytesThatWereReadArePaidFor() {
        _ = gate.joined(program)
        #expect(gate.verdict(on: program, at: .zero) == .serve)
        gate.charge(BusLimits.readingBurst - 1, to: program)
        #expect(gate.verdict(on: program, at: .zero) == .serve)
        gate.charge(1_000_001, to: program)
        #expect(Self.isRefusal(gate.verdict(on: program, at: .zero)))
        #expect(Self.isRefusal(gate.verdict(on: program, at: .seconds(1))))
        #expect(gate.verdict(on: program, at: .seconds(1) + BusLimits.readingSpacing) == .serve)
    }

    @Test func programThatIgnoresRefusalsIsNotAnswered() {
        _ = verdicts(BusLimits.callBurst, on: program, at: .zero)
        let refused = verdicts(BusLimits.refusals, on: program, at: .zero)
        #expect(refused.allSatisfy(Self.isRefusal))
        #expect(gate.verdict(on: program, at: .zero) == .ignore)
        // Each further call extends the silence.
        let almost = BusLimits.silence - .milliseconds(1)
        #expect(gate.verdict(on: program, at: almost) == .ignore)
        #expect(gate.verdict(on: program, at: BusLimits.silence + .milliseconds(1)) == .ignore)
        #expect(gate.verdict(on: other, at: BusLimits.silence) == .serve)
        #expect(gate.verdict(on: program, at: .seconds(3)) == .serve)
    }

    @Test func refusalsOfLongAgoAreForgotten() {
        for second in 0..<4 {
            let now = Duration.seconds(second)
            #expect(verdicts(BusLimits.callBurst, on: program, at: now).allSatisfy { $0 == .serve })
            #expect(verdicts(BusLimits.refusals, on: program, at: now).allSatisfy(Self.isRefusal))
        }
    }

    @Test func aProcessHasOneAllowanceForAllItsConnections() {
        for _ in 0..<BusLimits.connectionsPerProcess { #expect(gate.joined(program)) }
        #expect(!gate.joined(program))
        #expect(gate.joined(other))
        gate.left(program)
        #expect(gate.joined(program))
        _ = verdicts(BusLimits.callBurst, on: program, at: .zero)
        for _ in 0..<BusLimits.connectionsPerProcess { gate.left(program) }
        #expect(gate.joined(program))
        #expect(Self.isRefusal(gate.verdict(on: program, at: .zero)), "a new connection is no new allowance")
    }

    /// Many short-lived processes do not reset another process's allowance.
    @Test func accountsAreKeptForAsLongAsTheyHoldSomething() {
        _ = gate.joined(program)
        _ = verdicts(BusLimits.callBurst, on: program, at: .zero)
        gate.left(program)
        for number in Int32(100)..<1000 {
            _ = gate.joined(.process(number))
            gate.left(.process(number))
        }
        #expect(Self.isRefusal(gate.verdict(on: program, at: .zero)))
    }
}
