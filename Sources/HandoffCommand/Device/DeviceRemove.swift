// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DeviceRemove: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a device from the account permanently.",
        discussion: """
            It is cut off at once by every device that hears of it, and hears nothing of the others any more. Its key never \
            counts again: to come back it needs a new one, by: handoff account leave
            """)

    @Argument(help: "The device: its name, or the beginning of its ID.")
    var device: String

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let named = try client.ask(.identity(.removeDevice(device, onlyAsk: true))) { $0.device }
        if !yes { try Self.confirm(named) }
        // By its id: another device may have taken the name meanwhile.
        let removed = try client.ask(.identity(.removeDevice(named.device.description, onlyAsk: false))) { $0.device }
        output.show(ShownRemoval(removed: ShownDevice(removed)))
    }

    private static func confirm(_ device: DeviceSummary) throws(CommandFailure) {
        guard Terminal.canAsk else {
            throw .usage("this is for good, so it has to be confirmed: give --yes")
        }
        let what = device.isThisDevice ? "this device, \(device.name.text)," : device.name.text
        Output.ask("remove \(what) (\(device.device.short)) from the account for good? [y/N] ")
        guard Terminal.saysYes else { throw CommandFailure(.failed, code: "cancelled", "nothing was removed") }
    }
}

private struct ShownRemoval: Renderable {
    let removed: ShownDevice

    func text(_ terminal: Terminal) -> String { "\(removed.name) is removed" }
}
