// SPDX-License-Identifier: Apache-2.0

package struct TransferRate: Hashable, Sendable {
    /// Transfers of fewer bytes are too short to measure.
    package static let least: UInt64 = 1 << 20

    /// Nil: no transfer was long enough to measure.
    package private(set) var bytesPerSecond: UInt64?
    private var began: Instant?

    package init(lately bytesPerSecond: UInt64?) { self.bytesPerSecond = bytesPerSecond }

    package mutating func begin(at now: Instant) { began = now }

    package mutating func end(after byteCount: UInt64, at now: Instant) {
        bytesPerSecond = self.bytesPerSecond(after: byteCount, at: now) ?? bytesPerSecond
        began = nil
    }

    package func bytesPerSecond(after byteCount: UInt64, at now: Instant) -> UInt64? {
        guard let began, byteCount >= Self.least else { return nil }
        let (seconds, attoseconds) = began.duration(to: now).components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        // The transfer was faster than the clock's resolution.
        guard elapsed > 0 else { return nil }
        return UInt64(min(Double(byteCount) / elapsed, 1e15))
    }
}
