// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Two looks at the clock, a day apart, must both find an entry overdue, so a clock that jumps removes nothing.
package struct HistoryExpiry: Hashable, Sendable {
    package static let apart = Duration.seconds(24 * 3600)

    package private(set) var lastLook: WallTime?

    package init(lastLook: WallTime? = nil) { self.lastLook = lastLook }

    /// Entries that expired before the result may be removed now. Nil: none may.
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
