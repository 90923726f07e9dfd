// SPDX-License-Identifier: Apache-2.0

/// Tells when to ask whether the other side is there, and when it is gone.
struct Keepalive {
    enum Verdict: Equatable {
        case quiet
        case ping
        case lost
    }

    private let patience: Duration
    private var lastHeard: Instant
    /// Asked since the other side was last heard.
    private var hasAsked = false

    init(isDialled: Bool, now: Instant) {
        patience = SessionLimits.pingAfter + (isDialled ? .zero : SessionLimits.acceptorPatience)
        lastHeard = now
    }

    mutating func heard(now: Instant) {
        lastHeard = now
        hasAsked = false
    }

    var nextDeadline: Instant { lastHeard.advanced(by: hasAsked ? SessionLimits.lostAfter : patience) }

    mutating func deadlineReached(now: Instant) -> Verdict {
        let silence = lastHeard.duration(to: now)
        if silence >= SessionLimits.lostAfter { return .lost }
        guard silence >= patience, !hasAsked else { return .quiet }
        hasAsked = true
        return .ping
    }
}
