// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownDevice: Listed {
    static let columns: [Table.Column] = [
        .elastic("NAME"), "KIND", "STATE", "ADDRESS", "ADDED", .elastic("BY"), "ID",
    ]

    let device: String
    let name: String
    let kind: String
    let thisDevice: Bool
    let connected: Bool
    let address: String
    let admitted: String
    let admittedBy: String?
    /// Present only if that device is no longer a member.
    let admittedByFormer: Bool?
    let lastSeen: String?
    private let admittedLocal: String
    private let lastSeenLocal: String?

    enum CodingKeys: String, CodingKey {
        case device, name, kind, thisDevice, connected, address, admitted, admittedBy, admittedByFormer, lastSeen
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
        admittedByFormer = summary.isAdmitterRemoved ? true : nil
        lastSeen = summary.lastSeen?.iso8601
        admittedLocal = summary.admitted.local
        lastSeenLocal = summary.lastSeen?.local
    }

    var cells: [String] {
        let away = lastSeenLocal.map { "away since \($0)" } ?? "away"
        let state = thisDevice ? "this device" : connected ? "connected" : away
        let admitter = admittedBy.map { admittedByFormer == true ? "\($0) (removed)" : $0 } ?? "founder"
        return [
            name, kind, state, address.isEmpty ? "-" : address, admittedLocal, admitter,
            String(device.prefix(7)),
        ]
    }
}

extension DeviceKind {
    var word: String { self == .unspecified ? "device" : "\(self)" }
}
