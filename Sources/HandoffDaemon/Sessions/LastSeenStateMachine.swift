// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// When devices were last connected. Writes continual changes rarely: an unstable connection must not wear out the
/// disk.
struct LastSeenStateMachine: ~Copyable {
    static let delay = Duration.seconds(10)
    static let interval = Duration.seconds(300)

    private(set) var seen: LastSeen
    private(set) var nextDeadline: Instant?
    private var written: Instant?

    init(_ seen: LastSeen = LastSeen()) { self.seen = seen }

    /// Recorded too, because a machine that loses power reports no end.
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

    /// Nil: nothing to write. `isLast`: the program is about to exit.
    mutating func deadlineReached(now: Instant, isLast: Bool = false) -> [UInt8]? {
        guard let due = nextDeadline, isLast || due <= now else { return nil }
        nextDeadline = nil
        written = now
        return seen.file
    }
}

struct LastSeen: Hashable, Sendable {
    /// Drops the devices unseen for longest.
    static let maximum = 256
    private static let lineBytes = 96
    static let fileBytes = maximum * lineBytes

    private var times: [DeviceID: WallTime] = [:]

    init() {}

    subscript(device: DeviceID) -> WallTime? { times[device] }

    var isEmpty: Bool { times.isEmpty }

    mutating func saw(_ device: DeviceID, at time: WallTime) {
        times[device] = time
        guard times.count > Self.maximum, let oldest = times.min(by: { $0.value < $1.value }) else { return }
        times[oldest.key] = nil
    }

    mutating func keep(only devices: Set<DeviceID>) -> Bool {
        let count = times.count
        times = times.filter { devices.contains($0.key) }
        return times.count < count
    }

    // MARK: The file, one line each

    var file: [UInt8] {
        let lines = times.map { "\($0.key.hex) \($0.value.milliseconds)\n" }
        return Array(lines.sorted().joined().utf8)
    }

    /// Skips invalid lines: only a time is lost.
    init(file: [UInt8]) {
        for line in String(decoding: file.prefix(Self.fileBytes), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let device = try? DeviceID(hex: String(parts[0])), let time = Int64(parts[1]) else {
                continue
            }
            saw(device, at: WallTime(milliseconds: time))
        }
    }
}
