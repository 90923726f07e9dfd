// SPDX-License-Identifier: Apache-2.0

/// When this device makes a new beacon key because a device that is out may know the one of now. Any member can, and one is
/// enough: so they take turns, and whose turn comes later finds it done.
package struct KeyRenewalSchedule: Hashable, Sendable {
    /// For so long the members before this one have time, each.
    package static let turn = Duration.seconds(3)
    /// Before it is tried again, where it failed or more is to be done.
    package static let pause = Duration.seconds(60)

    package private(set) var nextDeadline: Instant?

    package init() {}

    /// - Parameter rank: how many members come before this device, in the order of their ids.
    package mutating func looked(isNeeded: Bool, rank: Int, now: Instant) {
        guard isNeeded else { return nextDeadline = nil }
        if nextDeadline == nil { nextDeadline = now.advanced(by: Self.turn * rank) }
    }

    /// Whether to do it now.
    package mutating func isDue(now: Instant) -> Bool {
        guard let deadline = nextDeadline, deadline <= now else { return false }
        nextDeadline = now.advanced(by: Self.pause)
        return true
    }
}
