// SPDX-License-Identifier: Apache-2.0

/// How fast documents come from a device.
package struct TransferRate: Hashable, Sendable {
    /// Of fewer bytes nothing can be told, bytes.
    package static let least: UInt64 = 1 << 20

    /// Of the last transfer that said something; nil: none did.
    package private(set) var bytesPerSecond: UInt64?
    private var began: Instant?

    package init(lately bytesPerSecond: UInt64?) { self.bytesPerSecond = bytesPerSecond }

    package mutating func begin(at now: Instant) { began = now }

    package mutating func end(after byteCount: UInt64, at now: Instant) {
        bytesPerSecond = self.bytesPerSecond(after: byteCount, at: now) ?? bytesPerSecond
        began = nil
    }

    /// Of the one under way.
    package func bytesPerSecond(after byteCount: UInt64, at now: Instant) -> UInt64? {
        guard let began, byteCount >= Self.least else { return nil }
        let (seconds, attoseconds) = began.duration(to: now).components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        // Faster than a clock can tell.
        guard elapsed > 0 else { return nil }
        return UInt64(min(Double(byteCount) / elapsed, 1e15))
    }
}
