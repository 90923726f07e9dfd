// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Entries are removed after two looks at the clock, a day apart, that both find them overdue, so a clock that jumps removes
/// nothing.
package struct HistoryExpiry: Hashable, Sendable {
    package static let apart = Duration.seconds(24 * 3600)

    /// Stored with the entries.
    package private(set) var lastLook: WallTime?

    package init(lastLook: WallTime? = nil) { self.lastLook = lastLook }

    /// Returns the time before which entries must have expired to be removed now, if any may be.
    package mutating func look(at now: WallTime) -> WallTime? {
        guard let last = lastLook, last <= now else {
            lastLook = now
            return nil
        }
        guard last.duration(to: now) >= Self.apart else { return nil }
        lastLook = now
        return last
    }
}
