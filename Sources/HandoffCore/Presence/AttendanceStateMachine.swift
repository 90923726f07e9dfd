// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Whether the user is at this device, from what those say who can know: systemd-logind, of every session of the user, and
/// screen savers, since not every one that locks the screen tells logind so.
///
/// The user is here if they are at one of their sessions: it has the screen, and is neither locked nor idle. Sessions of text
/// on other machines count for nothing beside others: who works over ssh on a desktop that is locked does not see what its
/// windows show. Where those are all there is, there is no screen to be away from, and the user is here; so they are where
/// there is no session at all, and where nobody says anything. To be away needs a witness.
///
/// A screen saver speaks for the sessions with windows; where logind knows of none, for whatever there is.
///
/// A witness that is gone is believed for a grace time: logind is restarted by an upgrade while the screen is locked, and what
/// is open there is nobody's business meanwhile. Then it counts as one that was never there.
package struct AttendanceStateMachine: ~Copyable {
    private enum Witness<Statement> {
        /// Not known yet. Can transition to: saying, absent.
        case unheard
        /// Can transition to: left, absent.
        case saying(Statement)
        /// It is gone, and this was its last word. Can transition to: saying, absent.
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

    private let limits: PresenceLimits
    private var sessions = Witness<[LoginSession]>.unheard
    private var hasMoreSessions = false
    /// Whether it covers the screen, by its name on the bus.
    private var savers: [String: Witness<Bool>]
    /// When they count no more, by session.
    private var lockRequests: [String: Instant] = [:]
    /// Until then somebody may not have been heard. Nil: that is over.
    private var start: Instant?

    /// `savers`: the names of those that there may be.
    package init(savers: [String], limits: PresenceLimits = PresenceLimits(), now: Instant) {
        self.limits = limits
        self.savers = Dictionary(savers.map { ($0, .unheard) }) { first, _ in first }
        start = now.advanced(by: limits.firstAnswers)
    }

    package var nextDeadline: Instant? {
        let ends = [sessions.end, lockRequests.values.min(), isComplete ? nil : start] + savers.values.map(\.end)
        return ends.lazy.compactMap(\.self).min()
    }

    /// Everybody was heard, or is not there.
    private var isComplete: Bool { !sessions.isUnheard && !savers.values.contains { $0.isUnheard } }

    /// What is to be said of the user; nil: nothing yet.
    package var word: PresenceWord? {
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
        // What the user would see who comes back: the session in front, if one of theirs is.
        return [.locked, .idle].first(where: reasons.contains) ?? .elsewhere
    }

    private var problem: DisplayText? {
        if sessions.statement == nil { return DisplayText(cleaning: "systemd-logind does not answer") }
        return hasMoreSessions ? DisplayText(cleaning: "only \(limits.sessions) sessions are looked at") : nil
    }

    // MARK: systemd-logind

    /// All sessions of this user as they are now.
    package mutating func sessionsRead(_ read: [LoginSession]) {
        sessions = .saying(Array(read.prefix(limits.sessions)))
        hasMoreSessions = read.count > limits.sessions
        // The locker says so itself now; and what is not there any more is not locked either.
        let open = Set(read.lazy.filter { !$0.isLocked }.map(\.id))
        lockRequests = lockRequests.filter { open.contains($0.key) }
    }

    /// It is not on the bus, or does not answer.
    package mutating func sessionsLost(now: Instant) { sessions.leave(until: now.advanced(by: limits.grace)) }

    /// Somebody asks the session's locker to lock the screen.
    package mutating func lockRequested(_ session: String, now: Instant) {
        guard let known = sessions.statement?.first(where: { $0.id == session }), !known.isLocked else { return }
        lockRequests[session] = now.advanced(by: limits.lockRequest)
    }

    /// The lock that was asked for is not wanted any more. A lock that was heard of is over when its locker says so.
    package mutating func unlockRequested(_ session: String) { lockRequests[session] = nil }

    // MARK: Screen savers

    package mutating func saverSaid(_ name: String, isActive: Bool) {
        guard let before = savers[name] else { return }
        savers[name] = .saying(isActive)
        // It locked the screen, as it was asked, and has opened it again.
        if before.statement == true, !isActive { lockRequests = [:] }
    }

    /// Nobody has that name on the bus.
    package mutating func saverLost(_ name: String, now: Instant) {
        savers[name]?.leave(until: now.advanced(by: limits.grace))
    }

    // MARK: Time

    package mutating func deadlineReached(now: Instant) {
        sessions.expire(now: now)
        for name in savers.keys { savers[name]?.expire(now: now) }
        lockRequests = lockRequests.filter { $0.value > now }
        guard let start, start <= now else { return }
        self.start = nil
        if sessions.isUnheard { sessions = .absent }
        for (name, saver) in savers where saver.isUnheard { savers[name] = .absent }
    }
}
