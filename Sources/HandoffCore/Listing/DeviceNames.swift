// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A device may imitate another's name, so an ambiguous name is shown with the beginning of the ID.
package struct DeviceNames {
    private let devices: [DeviceID: String]
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
        // Characters of other scripts may look like ASCII.
        let isPlain = name.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && name.contains { !$0.isWhitespace }
        return isPlain && readings[Self.reading(name)] == 1 ? name : "\(name) (\(device.short))"
    }

    private static func reading(_ name: String) -> String {
        String(name.lowercased().map { Self.alike[$0] ?? $0 }.filter { $0.isLetter || $0.isNumber })
    }

    private static let alike: [Character: Character] = ["0": "o", "1": "l", "i": "l", "|": "l", "5": "s"]
}

extension [DeviceSummary] {
    package var inOrder: [DeviceSummary] {
        sorted { left, right in
            (left.isThisDevice ? 0 : 1, left.isConnected ? 0 : 1, left.name.text, left.device)
                < (right.isThisDevice ? 0 : 1, right.isConnected ? 0 : 1, right.name.text, right.device)
        }
    }
}
