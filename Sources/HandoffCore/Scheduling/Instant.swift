// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Never goes back. State machines receive it as an argument; only adapters and the simulation create it.
package struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    package let sinceZero: Duration

    package init(sinceZero: Duration) { self.sinceZero = sinceZero }

    package static let zero = Instant(sinceZero: .zero)

    package func advanced(by duration: Duration) -> Instant { Instant(sinceZero: sinceZero + duration) }
    package func duration(to other: Instant) -> Duration { other.sinceZero - sinceZero }
    package static func < (left: Self, right: Self) -> Bool { left.sinceZero < right.sinceZero }
    package var description: String { "\(sinceZero)" }
}

extension Instant {
    /// An alarm's clock stops during sleep, and the wall clock may be set. For either, an alarm rings at most this much
    /// too late.
    package static let longestWait = Duration.seconds(300)

    /// When to look at the wall clock again, to notice `end` in time. May precede the end.
    package static func look(for end: WallTime, now: Instant, wall: WallTime) -> Instant {
        now.advanced(by: min(max(.zero, wall.duration(to: end)), longestWait))
    }
}

extension TimeSource {
    package func look(for end: WallTime) -> Instant { .look(for: end, now: now, wall: wallTime) }
}

extension Optional<Instant> {
    /// Nil means never.
    package func earlier(_ other: Instant?) -> Instant? {
        guard let self, let other else { return self ?? other }
        return Swift.min(self, other)
    }
}

extension Duration {
    /// Parses `90s`, `30min`, `2h`, `1d` and `0`, with at most 10,000 of a unit.
    package init?(text: String) {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let seconds: Int64? =
            switch text.dropFirst(number.count) {
            case "s": 1
            case "m", "min": 60
            case "h": 3600
            case "d": 86400
            case "" where number == "0": 0
            default: nil
            }
        guard let seconds, let count = Int64(number), count <= 10000 else { return nil }
        self = .seconds(count * seconds)
    }
}
