// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffWire

struct DeviceRemove: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a device from the account permanently.",
        discussion: """
            Every other device cuts it off as soon as the removal reaches that device. Its key is never valid again: to rejoin, \
            it needs a new key, from: handoff account leave

            Devices that it admitted, directly or through others, stay unless you remove them too: on a terminal, asks \
            about them; otherwise use --with-admitted. With --with-admitted, the device may be removed already.
            """)

    @Argument(help: "The device: its name, or the beginning of its ID.", completion: Completion.devices)
    var device: String

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Also remove every device that is a member only through it.")
    var withAdmitted = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let named = try remove(device, onlyAsk: true, withAdmitted: withAdmitted, client)
        var withAdmitted = withAdmitted
        if !yes {
            guard !named.isThisDevice else {
                throw CommandFailure(
                    .usage, code: "usage", "\(named.name.text) is this device",
                    advice: "to leave the account: handoff account leave    or, to remove it all the same: --yes")
            }
            guard Terminal.canAsk else {
                throw CommandFailure.usage("this is permanent, so it must be confirmed: give --yes")
            }
            try Self.confirm(named)
            if !named.dependents.isEmpty { withAdmitted = Self.takesDependents(of: named) }
        }
        // By id: another device may have taken the name.
        let removed = try remove(
            named.device.description, onlyAsk: false, withAdmitted: withAdmitted, client)
        output.show(ShownRemoval(removed))
        if removed.isThisDevice { output.note("to join an account again: handoff account leave") }
        guard !removed.dependents.isEmpty else { return }
        let stay = AdmittedDevices(removed.dependents)
        output.remark("still in the account through \(removed.name.text), \(stay.count): \(stay.names)")
        output.remark(
            "to remove them: handoff device remove \(removed.device.short) --with-admitted")
    }

    private func remove(
        _ device: String, onlyAsk: Bool, withAdmitted: Bool, _ client: BlockingClient
    ) throws -> DeviceSummary {
        try client.ask(.identity(.removeDevice(device, onlyAsk: onlyAsk, withAdmitted: withAdmitted))) { $0.device }
    }

    private static func confirm(_ device: DeviceSummary) throws(CommandFailure) {
        var what = "\(device.name.text) (\(device.device.short))"
        if !device.alsoRemoved.isEmpty {
            let others = AdmittedDevices(device.alsoRemoved)
            Output.ask("in the account only through \(device.name.text), \(others.count): \(others.names)\n")
            what += " and \(others.count)"
        }
        Terminal.ask("remove \(what) from the account permanently?")
        guard Terminal.saysYes else { throw CommandFailure(.failed, code: "cancelled", "nothing was removed") }
    }

    private static func takesDependents(of device: DeviceSummary) -> Bool {
        let others = AdmittedDevices(device.dependents)
        Terminal.ask(
            "in the account only through \(device.name.text), \(others.count): \(others.names)\nremove them too?")
        return Terminal.saysYes
    }
}

struct AdmittedDevices {
    /// Others are only counted.
    static let named = 10

    let devices: [DeviceSummary]

    init(_ devices: [DeviceSummary]) { self.devices = devices }

    var count: String { devices.count == 1 ? "1 device" : "\(devices.count) devices" }

    var names: String {
        let shown = devices.prefix(Self.named).map { "\($0.name.text) (\($0.device.short))" }.joined(separator: ", ")
        return devices.count > Self.named ? "\(shown), and \(devices.count - Self.named) more" : shown
    }
}

private struct ShownRemoval: Renderable {
    let removed: ShownDevice
    let alsoRemoved: [ShownDevice]
    /// Members only through it.
    let remaining: [ShownDevice]
    private let others: AdmittedDevices

    enum CodingKeys: String, CodingKey {
        case removed, alsoRemoved, remaining
    }

    init(_ removed: DeviceSummary) {
        self.removed = ShownDevice(removed)
        alsoRemoved = removed.alsoRemoved.map(ShownDevice.init)
        remaining = removed.dependents.map(ShownDevice.init)
        others = AdmittedDevices(removed.alsoRemoved)
    }

    func text(_ terminal: Terminal) -> String {
        guard !alsoRemoved.isEmpty else { return "\(removed.name) is removed" }
        return "\(removed.name) is removed, and \(others.count) that it admitted: \(others.names)"
    }
}

struct DeviceRename: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename this device, or another device of the account.",
        discussion: """
            handoff device rename NEW names this device. handoff device rename OLD NEW names another; OLD is its name, or the \
            beginning of its ID.
            """)

    @Argument(
        help: ArgumentHelp("The device, and its new name; or only the new name of this device.", valueName: "name"),
        completion: Completion.devices)
    var names: [String]

    @Option(help: ArgumentHelp("The device: the same as OLD."), completion: Completion.devices)
    var device: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard names.count <= (device == nil ? 2 : 1) else {
            throw ValidationError("a device has one new name; put a name with blanks in quotes")
        }
    }

    func perform(_ output: Output) throws {
        let old = names.count == 2 ? names[0] : device
        let renamed = try common.connect().ask(.identity(.renameDevice(old, to: names[names.count - 1]))) { $0.device }
        output.show(ShownRenaming(renamed: ShownDevice(renamed)))
    }
}

private struct ShownRenaming: Renderable {
    let renamed: ShownDevice

    func text(_ terminal: Terminal) -> String { "\(renamed.device.prefix(7)) is now \(renamed.name)" }
}

extension LocalMessage {
    var device: DeviceSummary? { if case .identity(.device(let summary)) = self { summary } else { nil } }
}

struct DeviceList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the account's devices, and the phones that can be reached.",
        discussion: """
            Phones are not devices of the account. They are listed while KDE Connect or GSConnect can reach them.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let devices = try client.ask(.identity(.listDevices())) {
            if case .identity(.deviceList(let list)) = $0 { list } else { nil }
        }
        let phones = try client.ask(.phones(.listPhones()), \.phones)
        let rows =
            devices.map { ShownReceiver.device(ShownDevice($0)) } + phones.map { ShownReceiver.phone(ShownPhone($0)) }
        output.show(Listing(rows, ifEmpty: "no devices"))
    }
}

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
    let admittedByFormer: Bool?
    let lastSeen: String?
    let software: String?
    let problem: String?
    private let admittedLocal: String
    private let lastSeenLocal: String?

    enum CodingKeys: String, CodingKey {
        case device, name, kind, thisDevice, connected, address, admitted, admittedBy, admittedByFormer, lastSeen
        case software, problem
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
        software = summary.software?.text
        problem = summary.problem?.text
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
