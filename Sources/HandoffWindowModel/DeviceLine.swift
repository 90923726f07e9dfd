// SPDX-License-Identifier: Apache-2.0

import HandoffCore
package import HandoffStrings
package import HandoffWire

package struct DeviceLine: Hashable, Sendable {
    package var id: DeviceID
    /// Unique among lookalikes.
    package var name: String
    /// For editing.
    package var plainName: String
    package var details: String
    package var icon: Icon
    package var isThisDevice: Bool

    /// This device, then connected devices, then the others, by name.
    package static func lines(_ devices: [DeviceSummary], _ strings: LocalizedStrings, at now: WallTime) -> [DeviceLine]
    {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        return inOrder(devices).map { device in
            DeviceLine(
                id: device.device, name: names.shown(device.device), plainName: device.name.text,
                details: strings.way(of: device, at: now), icon: icon(device.kind), isThisDevice: device.isThisDevice)
        }
    }

    static func inOrder(_ devices: [DeviceSummary]) -> [DeviceSummary] {
        devices.sorted { left, right in
            (left.isThisDevice ? 0 : 1, left.isConnected ? 0 : 1, left.name.text, left.device.description)
                < (right.isThisDevice ? 0 : 1, right.isConnected ? 0 : 1, right.name.text, right.device.description)
        }
    }

    package static func icon(_ kind: DeviceKind) -> Icon {
        switch kind {
        case .laptop: .laptop
        case .desktop: .desktop
        case .tablet: .tablet
        case .phone: .phone
        case .server: .server
        case .unspecified: .computer
        }
    }
}

extension LocalizedStrings {
    fileprivate func way(of device: DeviceSummary, at now: WallTime) -> String {
        if device.isThisDevice { return self[.thisDevice] }
        if let seen = device.lastSeen, !device.isConnected { return self(.lastSeen, age(of: seen, at: now)) }
        return switch (device.isConnected, device.address.isEmpty) {
        case (true, true): self[.connected]
        case (true, false): self(.connectedAt, device.address)
        case (false, true): self[.notConnected]
        case (false, false): self(.lastAt, device.address)
        }
    }
}

package struct RemovalQuestion: Hashable, Sendable {
    /// Further devices are only counted.
    static let named = 5

    package let device: DeviceID
    package let heading: String
    package let body: String
    /// Some are members only through it.
    package let offersAll: Bool

    init(_ removed: DeviceSummary, _ strings: LocalizedStrings) {
        device = removed.device
        heading = strings(.removeHeading, removed.name.text)
        var body = strings[.removeBody]
        if !removed.alsoRemoved.isEmpty { body += "\n\n" + strings(.removeAlso, Self.list(removed.alsoRemoved)) }
        if !removed.dependents.isEmpty { body += "\n\n" + strings(.removeAdmitted, Self.list(removed.dependents)) }
        self.body = body
        offersAll = !removed.dependents.isEmpty
    }

    private static func list(_ devices: [DeviceSummary]) -> String {
        let names = devices.prefix(named).map { "\($0.name.text) (\($0.device.short))" }.joined(separator: ", ")
        return "\(devices.count): \(names)\(devices.count > named ? ", …" : "")"
    }
}
