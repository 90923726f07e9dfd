// SPDX-License-Identifier: Apache-2.0

/// `burst` times immediately, then once per `spacing`.
package struct PaceLimit: Hashable, Sendable {
    package let burst: Int
    package let spacing: Duration

    package init(burst: Int, spacing: Duration) {
        self.burst = burst
        self.spacing = spacing
    }
}

/// One instant enforces a `PaceLimit`: when everything so far would be done at an even pace.
package struct Pace: Hashable, Sendable {
    private var workedOff: Instant = .zero

    package init() {}

    package func nextFree(_ limit: PaceLimit) -> Instant {
        workedOff.advanced(by: limit.spacing * -(limit.burst - 1))
    }

    package func isIdle(at now: Instant) -> Bool { workedOff <= now }

    package mutating func take(_ limit: PaceLimit, at now: Instant) -> Bool {
        guard nextFree(limit) <= now else { return false }
        workedOff = max(workedOff, now).advanced(by: limit.spacing)
        return true
    }
}

/// Beyond `most`, idle keys are dropped, or else the key quiet for longest.
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
