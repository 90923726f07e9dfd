// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct ActivityDismiss: Verb {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Remove an activity that another device sent here.",
        discussion: """
            If several devices sent an activity with this ID, asks for the device on a terminal; otherwise --device is needed.
            """)

    @Argument(
        help: "The beginning of the activity's ID, as handoff activity list --all shows it.",
        completion: Completion.received)
    var id: String

    @Option(
        help: ArgumentHelp("The device that sent it: its name, or the beginning of its ID.", valueName: "name"),
        completion: Completion.devices)
    var device: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let activities = try client.activities()
        let chosen = try SentActivityChoice(id: id, device: device).choose(
            from: activities, asking: !output.json && Terminal.canAsk)
        _ = try client.call(.sending(.dismissSent(chosen.offer.activity, from: chosen.device)))
        output.show(ShownDismissal(dismissed: ShownActivity(chosen, among: DeviceNames(activities))))
    }
}

struct SentActivityChoice {
    let id: String
    let device: String?

    func choose(from activities: [ListedActivity], asking: Bool) throws(CommandFailure) -> ListedActivity {
        let matches = try ActivityPrefix(text: id).matches(
            in: activities.filter { $0.isSent && $0.isOf(device) }, by: \.offer.activity,
            nothing: "nothing that was sent to this device", several: "several",
            advice: "run: handoff activity list --all")
        return try ActivityChoice.chooseDevice(from: matches, asking: asking)
    }
}

private struct ShownDismissal: Renderable {
    let dismissed: ShownActivity

    func text(_ terminal: Terminal) -> String { "dismissed: \(dismissed.words)" }
}
