// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct LastSeen: Hashable, Sendable {
    /// The number of devices; those unseen for longest are dropped first.
    static let maximum = 256
    /// The bytes of a line in the file: an ID, a space, a time, and the end of the line.
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
