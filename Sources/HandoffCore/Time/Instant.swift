// SPDX-License-Identifier: Apache-2.0

/// A point on a clock that never goes back. Rules get it as an argument; only hands and the town's clock make one.
package struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// Since a zero that means nothing.
    package let sinceZero: Duration

    package init(sinceZero: Duration) { self.sinceZero = sinceZero }

    package static let zero = Instant(sinceZero: .zero)

    package func advanced(by duration: Duration) -> Instant { Instant(sinceZero: sinceZero + duration) }
    package func duration(to other: Instant) -> Duration { other.sinceZero - sinceZero }
    package static func < (left: Self, right: Self) -> Bool { left.sinceZero < right.sinceZero }
    package var description: String { "\(sinceZero)" }
}

extension Optional<Instant> {
    /// The earlier of two deadlines, where nil means never.
    package func earlier(_ other: Instant?) -> Instant? {
        guard let self, let other else { return self ?? other }
        return Swift.min(self, other)
    }
}
