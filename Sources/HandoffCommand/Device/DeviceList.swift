// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DeviceList: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the account's devices.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let devices = try common.connect().ask(.identity(.listDevices())) {
            if case .identity(.deviceList(let list)) = $0 { list } else { nil }
        }
        output.show(Listing(devices.map(ShownDevice.init), ifEmpty: "no devices"))
    }
}
