// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum DeviceChoice {
    static func one(_ text: String, of members: [Member]) throws(Failure) -> DeviceID {
        try one(text, of: members.map { (device: $0.device, name: $0.name) })
    }

    static func one(
        _ text: String, of devices: some Sequence<(device: DeviceID, name: DisplayText)>
    ) throws(Failure) -> DeviceID {
        let found = matches(text, of: devices)
        guard let first = found.first else {
            throw Failure(.noSuchDevice, "no device of the account has that name or an ID that begins with it")
        }
        guard found.count == 1 else {
            throw Failure(.noSuchDevice, "several devices of the account have that name; give the beginning of the ID")
        }
        return first
    }

    /// By name, else by the beginning of the id.
    static func matches(
        _ text: String, of devices: some Sequence<(device: DeviceID, name: DisplayText)>
    ) -> [DeviceID] {
        let wanted = text.uppercased()
        let devices = Array(devices)
        let named = devices.filter { $0.name.text.uppercased() == wanted }
        let found =
            named.isEmpty ? devices.filter { !wanted.isEmpty && $0.device.description.hasPrefix(wanted) } : named
        return found.map(\.device)
    }
}
