// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// When this device creates a new beacon key, because a removed device may know the present one. One member is enough,
/// so the members take turns, and the later ones find the work done.
struct KeyRenewalSchedule: Hashable, Sendable {
    /// The time that each earlier member has.
    static let turn = Duration.seconds(3)
    /// Before the next try after a failure or if more remains to do.
    static let pause = Duration.seconds(60)

    private(set) var nextDeadline: Instant?

    init() {}

    /// - Parameter rank: the number of members before this device, in the order of their IDs.
    mutating func looked(isNeeded: Bool, rank: Int, now: Instant) {
        guard isNeeded else { return nextDeadline = nil }
        if nextDeadline == nil { nextDeadline = now.advanced(by: Self.turn * rank) }
    }

    mutating func isDue(now: Instant) -> Bool {
        guard let deadline = nextDeadline, deadline <= now else { return false }
        nextDeadline = now.advanced(by: Self.pause)
        return true
    }
}
