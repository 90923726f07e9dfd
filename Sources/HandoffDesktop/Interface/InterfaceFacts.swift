// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

/// Empty without a daemon.
struct InterfaceFacts {
    var software = ""
    var deviceName = ""
    var device = ""
    /// Empty without an account.
    var account = ""
    var devices: [DeviceSummary] = []

    private var values: [(name: String, value: BusValue)] {
        [
            ("Version", .string(software)), ("DeviceName", .string(deviceName)), ("DeviceID", .string(device)),
            ("Account", .string(account)), ("Devices", .list(devices.map(\.bus))),
        ]
    }

    func value(of property: String) -> BusValue { values.first { $0.name == property }?.value ?? .string("") }

    func changes(to new: InterfaceFacts) -> [String] {
        zip(values, new.values).filter { $0.value != $1.value }.map(\.0.name)
    }

    static let properties = [
        ("Version", "s"), ("DeviceName", "s"), ("DeviceID", "s"), ("Account", "s"), ("Devices", "aa{sv}"),
    ]
}
