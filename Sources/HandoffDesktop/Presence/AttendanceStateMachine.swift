// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct AttendanceLimits: Hashable, Sendable {
    /// How long a vanished source's last report stays valid: enough to restart a crashed part of the desktop.
    var grace: Duration = .seconds(30)
    /// How long after the start the presence is unknown while a source is silent. Shorter than `grace`.
    var firstAnswers: Duration = .seconds(5)
    /// How long a request to lock is treated as a lock: the locker has this time to report it.
    var lockRequest: Duration = .seconds(10)
    /// Examined; the newest are preferred.
    var sessions = 64
}

/// The sources are systemd-logind, and screen savers, because some lock the screen without notifying logind.
///
/// The user is present if one of their sessions is in front, and is neither locked nor idle. Remote text sessions are
/// ignored if there are others: a user who works over ssh does not see the locked desktop. Absence requires evidence:
/// without sessions here or answers, the user is present.
///
/// A screen saver applies to the graphical sessions, or to all if logind reports none.
///
/// A vanished source's last report stays valid for a grace time: while an upgrade restarts logind, the open activities
/// of a locked device must stay private.
struct AttendanceStateMachine: ~Copyable {
    private enum Witness<Statement> {
        /// Can transition to: saying, absent.
        case unheard
        /// Can transition to: left, absent.
        case saying(Statement)
        /// The source disappeared. Can transition to: saying, absent.
        case left(Statement, end: Instant)
        /// Can transition to: saying.
        case absent

        var isUnheard: Bool { if case .unheard = self { true } else { false } }

        var statement: Statement? {
            switch self {
            case .saying(let statement), .left(let statement, _): statement
            case .unheard, .absent: nil
            }
        }

        var end: Instant? { if case .left(_, let end) = self { end } else { nil } }

        mutating func leave(until end: Instant) {
            switch self {
            case .saying(let statement): self = .left(statement, end: end)
            case .unheard: self = .absent
            case .left, .absent: break
            }
        }

        mutating func expire(now: Instant) {
            if let end, end <= now { self = .absent }
        }
    }

    private let limits: AttendanceLimits
    private var sessions = Witness<[LoginSession]>.unheard
    private var hasMoreSessions = false
    private var savers: [String: Witness<Bool>]
    /// Expiry by session.
    private var lockRequests: [String: Instant] = [:]
    /// Until then, sources may not have answered. Nil: over.
    private var start: Instant?

    init(savers: [String], limits: AttendanceLimits = AttendanceLimits(), now: Instant) {
        self.limits = limits
        self.savers = Dictionary(savers.map { ($0, .unheard) }) { first, _ in first }
        start = now.advanced(by: limits.firstAnswers)
    }

    var nextDeadline: Instant? {
        let ends = [sessions.end, lockRequests.values.min(), isComplete ? nil : start] + savers.values.map(\.end)
        return ends.lazy.compactMap(\.self).min()
    }

    private var isComplete: Bool { !sessions.isUnheard && !savers.values.contains { $0.isUnheard } }

    var word: PresenceWord? {
        isComplete ? PresenceWord(presence, problem: problem, missing: hasWitness ? [] : [.screenLock]) : nil
    }

    private var hasWitness: Bool { sessions.statement != nil || savers.values.contains { $0.statement != nil } }

    private var presence: Presence {
        let sessions = (sessions.statement ?? []).filter { $0.kind != .remote }
        let isCovered = savers.values.contains { $0.statement == true }
        guard !sessions.isEmpty else { return isCovered ? .locked : .here }
        let hasWindows = sessions.contains { $0.kind == .graphical }
        var reasons: Set<Presence> = []
        for session in sessions {
            let isLocked = lockRequests[session.id] != nil || isCovered && (session.kind == .graphical || !hasWindows)
            guard let reason = session.absence(isScreenLocked: isLocked) else { return .here }
            reasons.insert(reason)
        }
        // The screen that a returning user would see.
        return [.locked, .idle].first(where: reasons.contains) ?? .elsewhere
    }

    private var problem: DisplayText? {
        if sessions.statement == nil { return DisplayText(cleaning: "systemd-logind does not respond") }
        return hasMoreSessions ? DisplayText(cleaning: "only \(limits.sessions) sessions are checked") : nil
    }

    // MARK: systemd-logind

    mutating func sessionsRead(_ read: [LoginSession]) {
        sessions = .saying(Array(read.prefix(limits.sessions)))
        hasMoreSessions = read.count > limits.sessions
        // The locker has reported the lock, or the session has ended.
        let open = Set(read.lazy.filter { !$0.isLocked }.map(\.id))
        lockRequests = lockRequests.filter { open.contains($0.key) }
    }

    mutating func sessionsLost(now: Instant) { sessions.leave(until: now.advanced(by: limits.grace)) }

    mutating func lockRequested(_ session: String, now: Instant) {
        guard let known = sessions.statement?.first(where: { $0.id == session }), !known.isLocked else { return }
        lockRequests[session] = now.advanced(by: limits.lockRequest)
    }

    /// A reported lock ends only when its locker reports so.
    mutating func unlockRequested(_ session: String) { lockRequests[session] = nil }

    // MARK: Screen savers

    mutating func saverSaid(_ name: String, isActive: Bool) {
        guard let before = savers[name] else { return }
        savers[name] = .saying(isActive)
        // Locked as requested, and unlocked again.
        if before.statement == true, !isActive { lockRequests = [:] }
    }

    mutating func saverLost(_ name: String, now: Instant) {
        savers[name]?.leave(until: now.advanced(by: limits.grace))
    }

    // MARK: Time

    mutating func deadlineReached(now: Instant) {
        sessions.expire(now: now)
        for name in savers.keys { savers[name]?.expire(now: now) }
        lockRequests = lockRequests.filter { $0.value > now }
        guard let start, start <= now else { return }
        self.start = nil
        if sessions.isUnheard { sessions = .absent }
        for (name, saver) in savers where saver.isUnheard { savers[name] = .absent }
    }
}
