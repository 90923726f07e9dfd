// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Not a device of the account, so it has no key `device`.
struct ShownPhone: Encodable {
    let phone: String
    let name: String
    let kind: String
    let through: String

    init(_ phone: Phone) {
        self.phone = phone.id.text
        name = phone.name.text
        kind = phone.kind.word
        through = phone.link.name
    }
}

enum ShownReceiver: Listed {
    case device(ShownDevice)
    case phone(ShownPhone)

    static let columns = ShownDevice.columns

    var cells: [String] {
        switch self {
        case .device(let device): device.cells
        case .phone(let phone):
            [phone.name, phone.kind, "phone, through \(phone.through)", "-", "-", "-", phone.phone]
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .device(let device): try device.encode(to: encoder)
        case .phone(let phone): try phone.encode(to: encoder)
        }
    }
}

/// Whether the phone received the item is unknown.
struct ShownHanding: Renderable {
    let handed: ShownPhone

    func text(_ terminal: Terminal) -> String { "handed to \(handed.through) for \(handed.name)" }
}
