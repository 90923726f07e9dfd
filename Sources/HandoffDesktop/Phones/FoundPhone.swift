// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

extension Phone {
    /// Nil if it is not paired, not reachable, or has an invalid id or no name.
    init?(kdeConnect id: String, _ properties: [String: BusValue]) {
        // Version 23.08 replaced the first property.
        let isPaired = (properties["isTrusted"] ?? properties["isPaired"])?.flag ?? false
        guard isPaired, properties["isReachable"]?.flag == true else { return nil }
        self.init(id, properties["name"], properties["type"], .kdeConnect)
    }

    init?(gsConnect properties: [String: BusValue]) {
        guard properties["Connected"]?.flag == true, properties["Paired"]?.flag == true else { return nil }
        self.init(properties["Id"]?.text ?? "", properties["Name"], properties["Type"], .gsConnect)
    }

    private init?(_ id: String, _ name: BusValue?, _ type: BusValue?, _ link: PhoneLink) {
        guard let id = try? PhoneID(id), let name = name?.text else { return nil }
        let shown = DisplayText(cleaning: name, limit: Limits.nameCharacters)
        guard !shown.isEmpty else { return nil }
        self.init(id: id, name: shown, kind: DeviceKind(phoneType: type?.text ?? ""), link: link)
    }
}

extension DeviceKind {
    /// Named as in KDE Connect's protocol.
    init(phoneType type: String) {
        switch type {
        case "phone", "smartphone": self = .phone
        case "tablet": self = .tablet
        case "desktop": self = .desktop
        case "laptop": self = .laptop
        default: self = .unspecified
        }
    }
}

extension PhoneItem {
    /// Nil if the file's path is not UTF-8, which the bus cannot carry.
    var uri: String? {
        switch self {
        case .page(let page): return page.url
        case .file(let path):
            guard String(validating: path.bytes, as: UTF8.self) != nil else { return nil }
            return "file://" + path.bytes.map(Self.escaped).joined()
        }
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            return String(UnicodeScalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
}
