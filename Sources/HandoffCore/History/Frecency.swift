// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// How often and how lately something was used.
///
/// The score is the binary logarithm of the sum of 2^(time / half-life) over its uses. It orders entries at any time,
/// so only a use writes it.
package struct Frecency: Hashable, Sendable {
    package static let halfLife = Duration.seconds(30 * 24 * 3600)
    /// Closer uses are the same use.
    package static let sameUse = Duration.seconds(300)

    package private(set) var score: Double
    package private(set) var uses: Int
    package private(set) var last: WallTime

    package init(firstUse now: WallTime) {
        score = Self.halfLives(until: now)
        uses = 1
        last = now
    }

    /// As if used once, long ago.
    package init(indexed now: WallTime) {
        score = Self.halfLives(until: now) - 2
        uses = 0
        last = now
    }

    /// As stored. An infinite score or NaN becomes that of a single use.
    package init(score: Double, uses: Int, last: WallTime) {
        self.score = score.isFinite ? score : Self.halfLives(until: last)
        self.uses = max(uses, score.isFinite ? 0 : 1)
        self.last = last
    }

    /// False: it belongs to the last use, so nothing need be written.
    package mutating func used(at now: WallTime) -> Bool {
        guard uses > 0 else {
            self = Frecency(firstUse: now)
            return true
        }
        guard !Self.isSameUse(last, now) else { return false }
        let time = Self.halfLives(until: now)
        let (high, low) = (max(score, time), min(score, time))
        score = high + log2(1 + exp2(low - high))
        uses = uses == .max ? uses : uses + 1
        last = now
        return true
    }

    /// For comparisons at that time. A clock may have been ahead: its uses are treated as now.
    package func rank(at now: WallTime) -> Double {
        min(score, Self.halfLives(until: now) + log2(Double(max(uses, 1))))
    }

    package static func isSameUse(_ first: WallTime, _ second: WallTime) -> Bool {
        let distance = first.duration(to: second)
        return max(distance, .zero - distance) < sameUse
    }

    private static func halfLives(until time: WallTime) -> Double {
        Double(time.milliseconds) / 1000 / Double(halfLife.components.seconds)
    }
}

extension ActivityTransfer {
    package func isSame(as other: ActivityTransfer) -> Bool {
        var same = self
        same.time = other.time
        return same == other && Frecency.isSameUse(time, other.time)
    }
}
