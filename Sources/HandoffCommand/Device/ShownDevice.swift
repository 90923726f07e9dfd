// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A device of the account, as it is shown.
struct ShownDevice: Encodable {
    let device: String
    let name: String
    let kind: String
    let thisDevice: Bool
    let connected: Bool
    let address: String
    let admitted: String
    let admittedBy: String?
    private let admittedLocal: String

    enum CodingKeys: String, CodingKey {
        case device, name, kind, thisDevice, connected, address, admitted, admittedBy
    }

    init(_ summary: DeviceSummary) {
        device = summary.device.description
        name = summary.name.text
        kind = summary.kind.word
        thisDevice = summary.isThisDevice
        connected = summary.isConnected
        address = summary.address
        admitted = summary.admitted.iso8601
        admittedBy = summary.admittedBy?.text
        admittedLocal = summary.admitted.local
    }

    static func table(_ devices: [ShownDevice]) -> Table {
        Table(
            heading: ["NAME", "KIND", "STATE", "ADDRESS", "ADDED", "BY", "ID"],
            rows: devices.map { device in
                let state = device.thisDevice ? "this device" : device.connected ? "connected" : "away"
                return [
                    device.name, device.kind, state, device.address.isEmpty ? "-" : device.address,
                    device.admittedLocal,
                    device.admittedBy ?? "founder", String(device.device.prefix(7)),
                ]
            },
            ifEmpty: "no devices")
    }
}

extension DeviceKind {
    var word: String { self == .unspecified ? "device" : "\(self)" }
}
