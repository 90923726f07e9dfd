// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Whole daemons in one process, in virtual time: latency, loss, partition, crash and restart, locked screens, from a
/// seed. `HANDOFF_SIMULATION_SEEDS=FIRST..<LAST` selects other seeds.
@Suite struct SimulationTests {
    private static let seeds: Range<UInt64> = {
        let bounds = (ProcessInfo.processInfo.environment["HANDOFF_SIMULATION_SEEDS"] ?? "0..<2000").split(
            separator: "..<")
        guard bounds.count == 2, let first = UInt64(bounds[0]), let last = UInt64(bounds[1]), first < last else {
            preconditionFailure("HANDOFF_SIMULATION_SEEDS is FIRST..<LAST")
        }
        return first..<last
    }()

    /// The combined results of some seeds.
    private struct Outcome {
        var ends: [SimulatedRequest.End: Int] = [:]
        var violations: [String] = []
        var kept = 0
        /// Files that arrived with a state.
        var delivered = 0
        /// Devices whose screen was locked at the end.
        var locked = 0
    }

    // Shows B09, T04.
    @Test func invariantsHoldInEverySchedule() async throws {
        let parts = try await Self.onAllCores { seeds in
            var outcome = Outcome()
            for seed in seeds { try Self.play(seed, into: &outcome) }
            return outcome
        }
        var whole = Outcome()
        for part in parts {
            whole.ends.merge(part.ends, uniquingKeysWith: +)
            whole.violations += part.violations
            whole.kept += part.kept
            whole.delivered += part.delivered
            whole.locked += part.locked
        }
        #expect(whole.violations.isEmpty)
        // The usual schedules are meaningful: continuations succeed, and fail in many ways.
        if Self.seeds.count >= 2000 {
            #expect(whole.ends[.continued, default: 0] > 2000 && whole.ends.count > 6, "\(whole.ends)")
            #expect(whole.kept > 100, "continuations of what an app that quit had saved: \(whole.kept)")
            #expect(whole.delivered > 300, "files that came with a state: \(whole.delivered)")
            #expect(whole.locked > 100, "devices with a locked screen: \(whole.locked)")
        }
    }

    private static func play(_ seed: UInt64, into outcome: inout Outcome) throws {
        let simulation = try Simulation.founded(seed: seed, board: board(seed: seed))
        var schedule = SimulationSchedule(simulation: simulation, seed: seed)
        try schedule.run(events: 60)
        try schedule.settle()
        let continuedOutside = schedule.removed?.continuations ?? 0
        schedule.askFromOutside()
        if schedule.removed?.continuations ?? 0 > continuedOutside {
            outcome.violations.append("seed \(seed): a state reached a removed device")
        }
        for device in simulation.devices where schedule.isLocked(device) {
            outcome.locked += 1
            guard device.listed()?.contains(where: \.isFromThisDevice) == true else { continue }
            outcome.violations.append("seed \(seed): a locked device offers something")
        }
        outcome.violations += violations(in: simulation, without: schedule.removed).map { "seed \(seed): \($0)" }
        schedule.unlockAll()
        outcome.violations += violations(in: simulation, without: schedule.removed).map {
            "seed \(seed), unlocked: \($0)"
        }
        outcome.delivered += simulation.devices.flatMap(\.apps).flatMap(\.documents).joined().count { $0.path != nil }
        outcome.kept += simulation.devices.flatMap(\.wishes).count { $0.isOfAnAppThatQuit }
        for end in simulation.devices.flatMap(\.wishes).flatMap(\.ends) { outcome.ends[end, default: 0] += 1 }
    }

    /// As many threads as there are cores share the seeds. They are separate threads with low priority, because the
    /// test runner's few threads serve tests that wait for real sockets.
    private static func onAllCores<Part: Sendable>(
        _ work: @escaping @Sendable (StrideTo<UInt64>) throws -> Part
    ) async throws -> [Part] {
        let threads = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        return try await withThrowingTaskGroup { group in
            for number in 0..<threads {
                let share = stride(from: seeds.lowerBound + number, to: seeds.upperBound, by: Int(threads))
                group.addTask { try await onAThreadOfItsOwn { try work(share) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Offers of apps that quit are kept for ten minutes, for a short time, or not at all.
    private static func board(seed: UInt64) -> BoardLimits {
        var limits = BoardLimits()
        switch seed % 3 {
        case 0: limits.keep = .zero
        case 1: limits.keep = .seconds(5)
        default: break
        }
        return limits
    }

    private static func onAThreadOfItsOwn<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                // On Linux, each thread has its own priority.
                setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
                continuation.resume(with: Swift.Result { try work() })
            }
            thread.stackSize = 8 * 1024 * 1024
            thread.start()
        }
    }

    private static func violations(in simulation: Simulation, without removed: SimulatedDevice?) -> [String] {
        var found: [String] = []
        func demand(_ holds: Bool, _ rule: String) {
            if !holds { found.append(rule) }
        }
        var wishes = 0
        for device in simulation.devices {
            for wish in device.wishes {
                demand(wish.ends.count == 1, "a continuation of \(device.name) ended in \(wish.ends)")
            }
            wishes += device.wishes.count
            for stray in device.wishes.flatMap(\.strayFiles) {
                demand(false, "a script of \(device.name) got \(stray), which no delivery put in place")
            }
            for app in device.apps {
                for (state, documents) in zip(app.states, app.documents) {
                    for stray in state.strayFiles(besides: documents) {
                        demand(false, "an app of \(device.name) got \(stray), which no delivery put in place")
                    }
                }
                for events in app.told.values {
                    demand(
                        events.count == 2 && events.first == .willContinue,
                        "an app of \(device.name) was told \(events), not will-continue and one of continue and didFail"
                    )
                    if case .continued(let team)? = events.last {
                        demand(team == app.team, "a state reached another team on \(device.name)")
                    }
                }
            }
        }
        let states = simulation.network.statesSent
        demand(states <= wishes, "\(states) states left their origin for \(wishes) wishes")

        // The network is quiet: all boards agree.
        let members = simulation.devices.filter { $0 !== removed }
        let boards = members.map { device in
            (device: device.device, listed: device.listed() ?? [])
        }
        for own in boards {
            let here = own.listed.filter(\.isFromThisDevice).map(\.offer)
            for other in boards where other.device != own.device {
                let there = other.listed.filter { $0.device == own.device }.map(\.offer)
                demand(here == there, "a board is shown otherwise than it is")
            }
        }
        for (device, own) in zip(members, boards) {
            let living = device.apps.filter(\.isAlive)
            for offer in own.listed.filter(\.isFromThisDevice).map(\.offer) {
                let isCurrent = living.contains { $0.current?.activity == offer.activity }
                demand(isCurrent == (offer.saved == nil), "\(device.name) offers what nobody does and nobody left")
                let isBack = living.contains { $0.app.bundle == offer.bundle && $0.current != nil }
                demand(offer.saved == nil || !isBack, "\(device.name) keeps what its app has replaced")
            }
            demand(device.connected.count == members.count - 1, "\(device.name) has not found all others again")
            demand(device.members.count == members.count, "\(device.name) does not know who is a member")
        }
        demand(removed?.connected.isEmpty ?? true, "a removed device has a session")
        return found
    }
}

extension SimulatedDevice {
    fileprivate var continuations: Int { wishes.flatMap(\.ends).count { $0 == .continued } }
}
