// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Real adapters in Python, each with at most one flaw, on real buses.
@Suite(.timeLimit(.minutes(3))) struct AdapterCheckTests {
    private static let fixture = String.repository + "/Tests/HandoffDesktopTests/Checking/adapter.py"
    private static let program = "system:org.example.Reader"

    /// On a thread of its own, because a check blocks. `flaw` nil: none.
    private func check(_ flaw: CheckRule?, drives: Bool = true) async throws -> [CheckResult] {
        // A failure costs the time in which the adapter should have done something.
        let limits = CheckLimits(answer: .seconds(flaw == nil ? 20 : 5), save: .seconds(5), silence: .seconds(1))
        let command = [Self.fixture, "adapter", flaw?.rawValue ?? "none"]
        return try await withCheckedThrowingContinuation { done in
            DetachedThread.start {
                var results: [CheckResult] = []
                do throws(BusFailure) {
                    let environment = ["PATH": "/usr/bin:/bin"]
                    let stage = try CheckStage(
                        program: Self.program, command: command, drive: drives ? Self.fixture : nil,
                        environment: environment, limits: limits, on: try BusLoop())
                    defer { stage.end() }
                    try AdapterCheck(stage, program: Self.program) { results.append($0) }.run()
                    done.resume(returning: results)
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
    }

    // Shows M06.
    @Test func correctAdapterKeepsEveryRule() async throws {
        let results = try await check(nil)
        #expect(results.map(\.rule) == CheckRule.allCases)
        for result in results { #expect(result.outcome == .ok, "\(result)") }
    }

    // Shows M06.
    @Test(arguments: CheckRule.allCases) func eachFlawFailsItsOwnRule(flaw: CheckRule) async throws {
        let results = try await check(flaw)
        let failed = results.filter { $0.outcome == .failed }
        #expect(failed.map(\.rule) == [flaw], "\(failed)")
        #expect(failed.allSatisfy { !$0.right.isEmpty && !$0.seen.isEmpty })
    }

    // Shows M06.
    @Test func rulesThatNeedTheProgramAreNotCheckedWithoutACommandThatDrivesIt() async throws {
        let results = try await check(nil, drives: false)
        #expect(
            results.filter { $0.outcome == .notChecked }.map(\.rule)
                == [.publish, .save, .move, .flood, .private, .close, .kill])
        #expect(!results.contains { $0.outcome == .failed })
    }

    @Test func adapterThatCannotBeStartedIsNamed() async throws {
        #expect(throws: BusFailure.self) {
            let stage = try CheckStage(
                program: Self.program, command: ["/nowhere"], drive: nil, environment: [:], on: try BusLoop())
            defer { stage.end() }
            try AdapterCheck(stage, program: Self.program) { _ in }.run()
        }
    }
}
