// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DeviceRename: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename this device, or another device of the account.")

    @Argument(help: "The new name.")
    var name: String

    @Option(help: ArgumentHelp("The device: its name, or the beginning of its ID. Default: this device."))
    var device: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let renamed = try common.connect().ask(.identity(.renameDevice(device, to: name))) { $0.device }
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
