// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Seeded walks, compared with the result computed from all reports so far. Shows L13.
@Suite struct AttendanceWalkTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func theUserIsWhereTheWitnessesSay(seed: UInt64) {
        var walk = AttendanceWalk(seed: seed)
        for _ in 0..<200 { walk.step() }
        walk.everybodyLeaves()
    }
}

private struct AttendanceWalk: ~Copyable {
    /// The last report of a source, and when the source disappeared.
    private struct Said<Statement> {
        var statement: Statement?
        var left: Instant?
        var isHeard = false

        mutating func says(_ statement: Statement) {
            (self.statement, left, isHeard) = (statement, nil, true)
        }

        mutating func leaves(at now: Instant) {
            if left == nil { left = now }
            isHeard = true
        }

        func counts(at now: Instant, for grace: Duration) -> Statement? {
            guard let left else { return statement }
            return left.advanced(by: grace) > now ? statement : nil
        }
    }

    private static let savers = ["a", "b"]
    private let limits = AttendanceLimits()
    private let seed: UInt64
    private var random: Randomness
    private var machine: AttendanceStateMachine
    private var now = Instant.zero
    private var sessions = Said<[LoginSession]>()
    private var covers: [String: Said<Bool>] = ["a": Said(), "b": Said()]
    /// When a lock was last requested. Until that request expires, locked is a valid result.
    private var lastRequest: Instant?

    init(seed: UInt64) {
        self.seed = seed
        random = .seeded(seed)
        machine = AttendanceStateMachine(savers: Self.savers, now: .zero)
    }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3:
            let read = (0..<Int.random(in: 0...3, using: &random)).map { session($0) }
            machine.sessionsRead(read)
            sessions.says(read)
        case 4:
            machine.sessionsLost(now: now)
            sessions.leaves(at: now)
        case 5...6:
            let (name, isActive) = (Self.savers.randomElement(using: &random)!, Bool.random(using: &random))
            machine.saverSaid(name, isActive: isActive)
            covers[name]?.says(isActive)
        case 7:
            let name = Self.savers.randomElement(using: &random)!
            machine.saverLost(name, now: now)
            covers[name]?.leaves(at: now)
        case 8:
            machine.lockRequested("\(Int.random(in: 0...3, using: &random))", now: now)
            lastRequest = now
        case 9: machine.unlockRequested("\(Int.random(in: 0...3, using: &random))")
        default: advance(by: .milliseconds(Int.random(in: 1...15_000, using: &random)))
        }
        check()
    }

    private mutating func session(_ number: Int) -> LoginSession {
        LoginSession(
            "\(number)", LoginSession.Kind.allCases.randomElement(using: &random)!,
            isInFront: .random(using: &random), isLocked: .random(using: &random), isIdle: .random(using: &random))
    }

    private mutating func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = machine.nextDeadline, deadline <= end {
            #expect(deadline >= now, "seed \(seed): a deadline is not met")
            now = max(now, deadline)
            machine.deadlineReached(now: now)
            check()
        }
        now = end
    }

    private func check() {
        let isOver = now >= Instant.zero.advanced(by: limits.firstAnswers)
        let isHeard = sessions.isHeard && covers.values.allSatisfy(\.isHeard)
        guard let word = machine.word else {
            #expect(!isHeard && !isOver, "seed \(seed): something is known, and not said")
            return
        }
        #expect(isHeard || isOver, "seed \(seed): said too early")
        let known = sessions.counts(at: now, for: limits.grace)
        #expect((word.problem == nil) == (known != nil), "seed \(seed)")
        let attended = (known ?? []).filter { $0.kind != .remote }
        let isCovered = covers.values.contains { $0.counts(at: now, for: limits.grace) == true }
        let isRequested = lastRequest.map { $0.advanced(by: limits.lockRequest) > now } ?? false
        // Computed from the reports, without history.
        let free = attended.filter { $0.isInFront && !$0.isLocked && !$0.isIdle }
        if attended.isEmpty {
            #expect(word.presence == (isCovered ? .locked : .here), "seed \(seed)")
        } else if free.isEmpty {
            #expect(word.presence.isAway, "seed \(seed): nobody is there")
        } else if !isCovered, !isRequested {
            #expect(word.presence == .here, "seed \(seed): somebody is there")
        }
        if word.presence == .locked {
            let hasReason = isCovered || isRequested || attended.contains { $0.isInFront && $0.isLocked }
            #expect(hasReason, "seed \(seed): locked by nobody")
        }
    }

    mutating func everybodyLeaves() {
        machine.sessionsLost(now: now)
        sessions.leaves(at: now)
        for name in Self.savers {
            machine.saverLost(name, now: now)
            covers[name]?.leaves(at: now)
        }
        advance(by: limits.grace)
        let (word, deadline) = (machine.word, machine.nextDeadline)
        #expect(word?.presence == .here, "seed \(seed)")
        #expect(deadline == nil, "seed \(seed): nothing is left to wait for")
    }
}
