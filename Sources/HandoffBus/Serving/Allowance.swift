// SPDX-License-Identifier: Apache-2.0

/// A token bucket: a burst, then one token per interval. Times are relative to any fixed moment.
struct Allowance: Hashable, Sendable {
    struct Limit: Hashable, Sendable {
        var burst: Int
        var spacing: Duration
    }

    /// When the bucket is full again.
    private var refilled = Duration.zero

    func isWhole(at now: Duration) -> Bool { refilled <= now }

    func hasAny(of limit: Limit, at now: Duration) -> Bool { refilled - now <= limit.spacing * (limit.burst - 1) }

    /// May overdraw: the next use then waits longer.
    mutating func spend(_ count: Int, of limit: Limit, at now: Duration) {
        refilled = max(refilled, now) + limit.spacing * count
    }
}
