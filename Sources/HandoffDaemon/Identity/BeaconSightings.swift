// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// Ignored beacons, for `handoff doctor`. Anyone on the network can send them.
struct BeaconSightings {
    /// Longer than the pause between a resting device's beacons.
    static let lifetime: Duration = .seconds(15 * 60)
    static let hosts = 16

    private var strangers: [String: Instant] = [:]
    private var clocks: [DeviceID: (difference: Duration, heard: Instant)] = [:]

    mutating func unopened(from host: String, now: Instant) {
        strangers = strangers.filter { $0.value.duration(to: now) < Self.lifetime }
        if strangers[host] != nil || strangers.count < Self.hosts { strangers[host] = now }
    }

    /// Ignored if its time is too far from this device's.
    mutating func opened(_ beacon: Beacon, now: Instant, wall: WallTime) {
        let difference = wall.duration(to: beacon.time)
        let isFar = difference > ReplayWindow.tolerance || difference < .zero - ReplayWindow.tolerance
        clocks[beacon.device] = isFar ? (difference, now) : nil
    }

    mutating func keep(_ members: Set<DeviceID>) { clocks = clocks.filter { members.contains($0.key) } }

    /// Sorted.
    func strangers(now: Instant) -> [String] {
        strangers.filter { $0.value.duration(to: now) < Self.lifetime }.keys.sorted()
    }

    /// How far it is ahead of this device's, if its beacons are ignored for that.
    func clock(of device: DeviceID, now: Instant) -> Duration? {
        clocks[device].flatMap { $0.heard.duration(to: now) < Self.lifetime ? $0.difference : nil }
    }
}
