// SPDX-License-Identifier: Apache-2.0

/// So much at once, and from then on one in a time. Times are counted from any fixed moment.
struct Allowance: Hashable, Sendable {
    struct Limit: Hashable, Sendable {
        var burst: Int
        var spacing: Duration
    }

    /// When all that was spent has been refilled.
    private var refilled = Duration.zero

    func isWhole(at now: Duration) -> Bool { refilled <= now }

    func hasAny(of limit: Limit, at now: Duration) -> Bool { refilled - now <= limit.spacing * (limit.burst - 1) }

    /// More than there is may be spent: the next then waits for longer.
    mutating func spend(_ count: Int, of limit: Limit, at now: Duration) {
        refilled = max(refilled, now) + limit.spacing * count
    }
}
