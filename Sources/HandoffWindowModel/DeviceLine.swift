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
    package var hint: String
    package var icon: Icon
    package var isThisDevice: Bool
    /// Nil if that cannot be switched.
    package var notifies: Bool?

    /// This device, then connected devices, then the others, by name.
    /// `isConnecting`: this device has just joined.
    package static func lines(
        _ devices: [DeviceSummary], _ strings: LocalizedStrings, at now: WallTime, isConnecting: Bool = false,
        notifies: (DeviceSummary) -> Bool? = { _ in nil }
    ) -> [DeviceLine] {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        return devices.inOrder.map { device in
            DeviceLine(
                id: device.device, name: names.shown(device.device), plainName: device.name.text,
                details: strings.details(of: device, at: now, isConnecting: isConnecting),
                hint: strings.hint(of: device),
                icon: icon(device.kind), isThisDevice: device.isThisDevice, notifies: notifies(device))
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
    fileprivate func details(of device: DeviceSummary, at now: WallTime, isConnecting: Bool) -> String {
        let parts = [word(device.kind).map { self[$0] }, standing(of: device, at: now, isConnecting)]
        let text = parts.compactMap { $0 }.joined(separator: " · ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private func standing(of device: DeviceSummary, at now: WallTime, _ isConnecting: Bool) -> String {
        if device.isThisDevice { return self[.thisDevice] }
        if device.isConnected { return self[.connected] }
        if isConnecting { return self[.connecting] }
        return device.lastSeen.map { self(.lastSeen, age(of: $0, at: now)) } ?? self[.notConnected]
    }

    private func word(_ kind: DeviceKind) -> Word? {
        switch kind {
        case .desktop: .kindDesktop
        case .laptop: .kindLaptop
        case .tablet: .kindTablet
        case .phone: .kindPhone
        case .server: .kindServer
        case .unspecified: nil
        }
    }

    fileprivate func hint(of device: DeviceSummary) -> String {
        [device.address, self(.memberSince, device.admitted.localClock)].filter { !$0.isEmpty }.joined(separator: "\n")
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
