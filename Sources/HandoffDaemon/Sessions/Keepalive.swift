// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// When to ask whether the other device is still there. A session at rest hardly wakes the machine.
struct Keepalive {
    enum Verdict: Equatable {
        case quiet
        case ping
        case lost
    }

    var isWatched = false
    private let patience: Duration
    private var lastHeard: Instant
    /// The first after the last received frame.
    private var firstSent: Instant?
    /// Set after a ping. Without a frame by then, the other side is lost.
    private var answerDue: Instant?
    /// Streams cannot delay it beyond this. Nil: this link may be dead although the device is not.
    private var longestDue: Instant?

    init(isDialled: Bool, now: Instant) {
        patience = isDialled ? .zero : SessionLimits.acceptorPatience
        lastHeard = now
    }

    mutating func heard(now: Instant) {
        lastHeard = now
        (firstSent, answerDue, longestDue) = (nil, nil, nil)
    }

    /// A stream's bytes may hold up the answer.
    mutating func streamMoved(now: Instant) {
        guard let due = answerDue, let longestDue else { return }
        answerDue = max(due, min(now.advanced(by: SessionLimits.pingAnswer - patience), longestDue))
    }

    mutating func sent(now: Instant) { firstSent = firstSent ?? now }

    mutating func doubted(now: Instant) {
        let hurried = now.advanced(by: SessionLimits.probeAnswer)
        answerDue = min(answerDue ?? hurried, hurried)
        longestDue = nil
    }

    var nextDeadline: Instant { answerDue ?? pingDue }

    private var pingDue: Instant {
        let soon = (isWatched ? lastHeard : firstSent)?.advanced(by: SessionLimits.pingAfter)
        let late = lastHeard.advanced(by: SessionLimits.idlePingAfter)
        return min(soon ?? late, late).advanced(by: patience)
    }

    mutating func deadlineReached(now: Instant) -> Verdict {
        if let answerDue { return now >= answerDue ? .lost : .quiet }
        guard now >= pingDue else { return .quiet }
        answerDue = now.advanced(by: SessionLimits.pingAnswer - patience)
        longestDue = now.advanced(by: SessionLimits.heldUpAnswer)
        return .ping
    }
}
