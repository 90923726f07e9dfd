// SPDX-License-Identifier: Apache-2.0

import HandoffCore

struct Keepalive {
    enum Verdict: Equatable {
        case quiet
        case ping
        case lost
    }

    private let patience: Duration
    private var lastHeard: Instant
    /// A ping was sent since the last frame; without an answer by then, the other side is lost.
    private var answerDue: Instant?

    init(isDialled: Bool, now: Instant) {
        patience = SessionLimits.pingAfter + (isDialled ? .zero : SessionLimits.acceptorPatience)
        lastHeard = now
    }

    mutating func heard(now: Instant) {
        lastHeard = now
        answerDue = nil
    }

    mutating func doubted(now: Instant) {
        let hurried = now.advanced(by: SessionLimits.probeAnswer)
        answerDue = min(answerDue ?? hurried, hurried)
    }

    var nextDeadline: Instant { answerDue ?? lastHeard.advanced(by: patience) }

    mutating func deadlineReached(now: Instant) -> Verdict {
        let lost = lastHeard.advanced(by: SessionLimits.lostAfter)
        if now >= answerDue ?? lost { return .lost }
        guard answerDue == nil, now >= lastHeard.advanced(by: patience) else { return .quiet }
        answerDue = lost
        return .ping
    }
}
