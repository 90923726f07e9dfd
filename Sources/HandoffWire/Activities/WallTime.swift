// SPDX-License-Identifier: Apache-2.0

/// Milliseconds since 1970. For display, expiry and beacons; never for ordering.
package struct WallTime: Hashable, Sendable, Comparable {
    package let milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// That of `Date`, in seconds since 1970.
    package static let referenceDate = 978_307_200.0

    /// Nil if out of range.
    package init?(sinceReferenceDate seconds: Double) {
        guard let milliseconds = Int64(exactly: ((seconds + Self.referenceDate) * 1000).rounded()) else { return nil }
        self.milliseconds = milliseconds
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    package func advanced(by duration: Duration) -> WallTime {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let delta = overflow ? (seconds < 0 ? Int64.min : .max) : product + attoseconds / 1_000_000_000_000_000
        let (sum, sumOverflow) = milliseconds.addingReportingOverflow(delta)
        return WallTime(milliseconds: sumOverflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// Saturates instead of trapping on absurd clocks.
    package func duration(to other: WallTime) -> Duration {
        let (difference, overflow) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return .milliseconds(overflow ? (other > self ? Int64.max : .min) : difference)
    }
}
