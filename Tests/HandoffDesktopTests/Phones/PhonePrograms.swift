// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import TestBuses

/// KDE Connect's interfaces, as version 22.12 has them. It belongs to one `BusFixture`, and is used only on it.
final class KDEConnectDouble {
    private static let root = "/modules/kdeconnect"
    private static let name = "org.kde.kdeconnect"
    private let guest: Guest
    private var objects: [BusObject] = []
    private var shares: [BusObject] = []
    /// Nil: the ids of the served phones.
    var listed: [String]?
    private var names: [String: String] = [:]
    private(set) var shared: [String] = []
    private(set) var asked = 0

    init(_ guest: Guest) { self.guest = guest }

    func begin(_ phones: [String: String]) throws {
        try serve(phones)
        guest.connection?.requestName(Self.name) { _ in }
    }

    /// Names by id.
    func serve(_ phones: [String: String]) throws {
        guard let connection = guest.connection else { return }
        names = phones
        (objects, shares) = ([], [])
        let devices = BusInterface.Method("devices", takes: [.init("reachable", "b"), .init("paired", "b")]) {
            [unowned self] in
            asked += 1
            $1.answer([.strings(listed ?? names.keys.sorted())])
        }
        objects.append(
            try BusObject([BusInterface("\(Self.name).daemon", methods: [devices])], at: Self.root, on: connection))
        for (id, name) in phones {
            let path = "\(Self.root)/devices/\(id)"
            let properties: [BusInterface.Property] = [
                .init("name", "s") { .string(name) }, .init("type", "s") { .string("phone") },
                .init("isReachable", "b") { .boolean(true) }, .init("isTrusted", "b") { .boolean(true) },
            ]
            let share = BusInterface.Method("shareUrl", takes: [.init("url", "s")]) { [unowned self] in
                shared.append($0[0]?.text ?? "")
                $1.answer([])
            }
            objects.append(
                try BusObject([BusInterface("\(Self.name).device", properties: properties)], at: path, on: connection))
            shares.append(
                try BusObject(
                    [BusInterface("\(Self.name).device.share", methods: [share])], at: path + "/share", on: connection))
        }
    }

    func announce() { objects.first?.emit("\(Self.name).daemon", "deviceListChanged") }
    func stopSharing() { shares = [] }
    func releaseName() { guest.connection?.releaseName(Self.name) }

    func end() {
        releaseName()
        (objects, shares) = ([], [])
    }
}

/// GSConnect's interfaces, as version 54 has them, with one phone.
final class GSConnectDouble {
    private static let root = "/org/gnome/Shell/Extensions/GSConnect"
    private static let name = "org.gnome.Shell.Extensions.GSConnect"
    private static let path = root + "/Device/a_1"
    private let guest: Guest
    private var objects: [BusObject] = []
    var isOn = true
    private(set) var shared: [String] = []

    init(_ guest: Guest) { self.guest = guest }

    func begin() throws {
        guard let connection = guest.connection else { return }
        let managed = BusInterface.Method("GetManagedObjects") {
            $1.answer([Self.objects])
        }
        let describe = BusInterface.Method("Describe", takes: [.init("action", "s")]) { [unowned self] in
            $1.answer([.structure([.boolean(isOn), .signature("s"), .array(of: .variant, [])])])
        }
        let activate = BusInterface.Method(
            "Activate", takes: [.init("action", "s"), .init("parameter", "av"), .init("platform", "a{sv}")]
        ) { [unowned self] in
            let parameter = $0[1]?.elements?.first
            let uri = parameter?.text ?? parameter?.elements?.first?.text ?? ""
            shared.append("\($0[0]?.text ?? "") \(uri)")
            $1.answer([])
        }
        objects = [
            try BusObject(
                [BusInterface("org.freedesktop.DBus.ObjectManager", methods: [managed])], at: Self.root, on: connection),
            try BusObject(
                [BusInterface("org.gtk.Actions", methods: [describe, activate])], at: Self.path, on: connection),
        ]
        connection.requestName(Self.name) { _ in }
    }

    private static var objects: BusValue {
        let properties = BusValue.properties([
            "Id": .string("a-1"), "Name": .string("Pixel"), "Type": .string("phone"), "Connected": .boolean(true),
            "Paired": .boolean(true),
        ])
        let device = BusValue.entry(.string(name + ".Device"), properties)
        let interfaces = BusValue.array(of: device.type, [device])
        let object = BusValue.entry(.objectPath(path), interfaces)
        return .array(of: object.type, [object])
    }
}
