// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct ActivityDismiss: Verb {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Remove an activity that another device sent here.")

    @Argument(help: "The beginning of the activity's ID, as handoff activity list --all shows it.")
    var id: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let activities = try client.activities()
        // Two devices may have sent one of the same id.
        let first = try ActivityPrefix(text: id).first(
            of: activities.filter(\.isSent), by: \.offer.activity, telling: \.key,
            nothing: "nothing that was sent to this device", several: "several",
            advice: "run: handoff activity list --all")
        _ = try client.call(.sending(.dismissSent(first.offer.activity, from: first.device)))
        output.show(ShownDismissal(dismissed: ShownActivity(first, among: DeviceNames(activities))))
    }
}

private struct ShownDismissal: Renderable {
    let dismissed: ShownActivity

    func text(_ terminal: Terminal) -> String { "dismissed: \(dismissed.words)" }
}
