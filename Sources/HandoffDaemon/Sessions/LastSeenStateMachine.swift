// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// When devices were last connected. Written soon after a change, but rarely during continual changes, so that a device
/// with an unstable connection does not wear out the disk.
struct LastSeenStateMachine: ~Copyable {
    /// From a change to the write.
    static let delay = Duration.seconds(10)
    static let interval = Duration.seconds(300)

    private(set) var seen: LastSeen
    private(set) var nextDeadline: Instant?
    private var written: Instant?

    init(_ seen: LastSeen = LastSeen()) { self.seen = seen }

    /// A session began or ended. The beginning is recorded too, because a machine that loses power reports no end.
    mutating func connected(_ device: DeviceID, at time: WallTime, now: Instant) {
        seen.saw(device, at: time)
        changed(now)
    }

    mutating func membersChanged(_ members: Set<DeviceID>, now: Instant) {
        if seen.keep(only: members) { changed(now) }
    }

    private mutating func changed(_ now: Instant) {
        guard nextDeadline == nil else { return }
        let soon = now.advanced(by: Self.delay)
        nextDeadline = written.map { max(soon, $0.advanced(by: Self.interval)) } ?? soon
    }

    /// The bytes to write now; nil: none. `isLast`: the program is about to exit.
    mutating func deadlineReached(now: Instant, isLast: Bool = false) -> [UInt8]? {
        guard let due = nextDeadline, isLast || due <= now else { return nil }
        nextDeadline = nil
        written = now
        return seen.file
    }
}
