// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// When each device was last connected: one time for each.
package struct LastSeen: Hashable, Sendable {
    /// Devices; those unseen for longest are forgotten first.
    package static let maximum = 256
    /// Bytes of a line of the file: an id, a blank, a time, the line's end.
    private static let lineBytes = 96
    /// Bytes.
    package static let fileBytes = maximum * lineBytes

    private var times: [DeviceID: WallTime] = [:]

    package init() {}

    package subscript(device: DeviceID) -> WallTime? { times[device] }

    package var isEmpty: Bool { times.isEmpty }

    package mutating func saw(_ device: DeviceID, at time: WallTime) {
        times[device] = time
        guard times.count > Self.maximum, let oldest = times.min(by: { $0.value < $1.value }) else { return }
        times[oldest.key] = nil
    }

    /// Forgets all other devices. False where there is nothing to forget.
    package mutating func keep(only devices: Set<DeviceID>) -> Bool {
        let count = times.count
        times = times.filter { devices.contains($0.key) }
        return times.count < count
    }

    // MARK: The file, a line for each

    package var file: [UInt8] {
        let lines = times.map { "\($0.key.hex) \($0.value.milliseconds)\n" }
        return Array(lines.sorted().joined().utf8)
    }

    /// What is no such line is passed over: nothing but a time is lost.
    package init(file: [UInt8]) {
        for line in String(decoding: file.prefix(Self.fileBytes), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let device = try? DeviceID(hex: String(parts[0])), let time = Int64(parts[1]) else {
                continue
            }
            saw(device, at: WallTime(milliseconds: time))
        }
    }
}
