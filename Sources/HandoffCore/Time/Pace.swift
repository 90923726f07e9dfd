// SPDX-License-Identifier: Apache-2.0

/// How often something may happen: `burst` times at once, then once each `spacing`.
package struct PaceLimit: Hashable, Sendable {
    package let burst: Int
    package let spacing: Duration

    package init(burst: Int, spacing: Duration) {
        self.burst = burst
        self.spacing = spacing
    }
}

/// Keeps a `PaceLimit`. One instant says it all: the time at which everything taken so far would be worked off at the even
/// pace.
package struct Pace: Hashable, Sendable {
    private var workedOff: Instant = .zero

    package init() {}

    /// When it may happen next.
    package func nextFree(_ limit: PaceLimit) -> Instant {
        workedOff.advanced(by: limit.spacing * -(limit.burst - 1))
    }

    /// Nothing is remembered any more.
    package func isIdle(at now: Instant) -> Bool { workedOff <= now }

    /// True: it may happen now, and is counted.
    package mutating func take(_ limit: PaceLimit, at now: Instant) -> Bool {
        guard nextFree(limit) <= now else { return false }
        workedOff = max(workedOff, now).advanced(by: limit.spacing)
        return true
    }
}

/// The same limit for many, each by itself. Of more than `most` that are remembered, those go that could as well begin anew,
/// and where there are none the one that was quiet longest.
package struct Paces<Key: Hashable> {
    private let limit: PaceLimit
    private let most: Int
    private var paces: [Key: Pace] = [:]

    package init(_ limit: PaceLimit, most: Int) {
        self.limit = limit
        self.most = most
    }

    package var count: Int { paces.count }

    package func nextFree(of key: Key) -> Instant { paces[key, default: Pace()].nextFree(limit) }

    package mutating func take(_ key: Key, at now: Instant) -> Bool {
        if paces[key] == nil, paces.count >= most { makeRoom(now) }
        return paces[key, default: Pace()].take(limit, at: now)
    }

    package mutating func keep(_ keys: Set<Key>) { paces = paces.filter { keys.contains($0.key) } }

    private mutating func makeRoom(_ now: Instant) {
        paces = paces.filter { !$0.value.isIdle(at: now) }
        guard paces.count >= most else { return }
        let quietest = paces.min { $0.value.nextFree(limit) < $1.value.nextFree(limit) }
        if let quietest { paces[quietest.key] = nil }
    }
}
