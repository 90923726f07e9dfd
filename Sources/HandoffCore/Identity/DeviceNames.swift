// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The names of devices in one list, each with the beginning of its id where it could be taken for another one. A device names
/// itself: with the name of another, or with letters that look like that.
package struct DeviceNames {
    private let devices: [DeviceID: String]
    /// How many devices have names that read so.
    private let readings: [String: Int]

    package init(_ activities: [ListedActivity]) {
        self.init(activities.map { ($0.device, $0.deviceName.text) })
    }

    package init(_ named: [(device: DeviceID, name: String)]) {
        devices = Dictionary(named, uniquingKeysWith: { first, _ in first })
        readings = devices.values.reduce(into: [:]) { $0[Self.reading($1), default: 0] += 1 }
    }

    package func shown(_ device: DeviceID) -> String {
        guard let name = devices[device] else { return device.short }
        // Letters of other scripts may look like these, so only plain names stand by themselves.
        let isPlain = name.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && name.contains { !$0.isWhitespace }
        return isPlain && readings[Self.reading(name)] == 1 ? name : "\(name) (\(device.short))"
    }

    /// The same for names that one could read as the same.
    private static func reading(_ name: String) -> String {
        String(name.lowercased().map { Self.alike[$0] ?? $0 }.filter { $0.isLetter || $0.isNumber })
    }

    private static let alike: [Character: Character] = ["0": "o", "1": "l", "i": "l", "|": "l", "5": "s"]
}
