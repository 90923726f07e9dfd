// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DeviceList: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the account's devices.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let devices = try common.connect().ask(.listDevices) {
            if case .deviceList(let list) = $0 { list } else { nil }
        }
        output.show(ShownDevices(devices: devices.map(ShownDevice.init)))
    }
}

private struct ShownDevices: Renderable {
    let devices: [ShownDevice]

    func encode(to encoder: any Encoder) throws { try devices.encode(to: encoder) }
    func text(_ terminal: Terminal) -> String { ShownDevice.table(devices).text(terminal) }
}
