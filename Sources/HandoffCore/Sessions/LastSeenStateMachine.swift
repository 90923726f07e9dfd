// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Keeps when devices were last connected, and says when that is to be written: soon after a change, and seldom where
/// changes do not end, so that a device that comes and goes all day wears out no disk.
package struct LastSeenStateMachine: ~Copyable {
    /// From a change to the file.
    package static let delay = Duration.seconds(10)
    /// Between two writings.
    package static let interval = Duration.seconds(300)

    package private(set) var seen: LastSeen
    package private(set) var nextDeadline: Instant?
    private var written: Instant?

    package init(_ seen: LastSeen = LastSeen()) { self.seen = seen }

    /// A session began or ended. That it began is kept as well: a machine that loses power says no end.
    package mutating func connected(_ device: DeviceID, at time: WallTime, now: Instant) {
        seen.saw(device, at: time)
        changed(now)
    }

    /// Whoever is no member any more is forgotten.
    package mutating func membersChanged(_ members: Set<DeviceID>, now: Instant) {
        if seen.keep(only: members) { changed(now) }
    }

    private mutating func changed(_ now: Instant) {
        guard nextDeadline == nil else { return }
        let soon = now.advanced(by: Self.delay)
        nextDeadline = written.map { max(soon, $0.advanced(by: Self.interval)) } ?? soon
    }

    /// What is to be written now; nil: nothing. `isLast`: this program ends.
    package mutating func deadlineReached(now: Instant, isLast: Bool = false) -> [UInt8]? {
        guard let due = nextDeadline, isLast || due <= now else { return nil }
        nextDeadline = nil
        written = now
        return seen.file
    }
}
