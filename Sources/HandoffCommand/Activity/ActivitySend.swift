// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct ActivitySend: Verb {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send an activity of this device to another of your devices.",
        discussion: """
            Without an ID, sends the newest activity offered here; on a terminal, asks which if there are several. The other \
            device keeps the activity until it is continued or dismissed there, whatever happens to the original. If that \
            device is not connected, this device keeps the activity for up to a week and sends it when the device is back.

            Streams are not sent. An activity that names files on this device cannot be sent.
            """)

    /// Longer than the daemon's deadlines: the device first takes earlier sends.
    private static let timeout = Duration.seconds(120)

    @Argument(
        help: "The beginning of the activity's ID, as handoff activity list --all shows it.", completion: Completion.own
    )
    var id: String?

    @Option(
        help: ArgumentHelp("The device: its name, or the beginning of its ID.", valueName: "device"),
        completion: Completion.devices)
    var to: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let activities = try client.activities()
        let chosen = try OwnActivityChoice(id: id).choose(
            from: activities, asking: !output.json && Terminal.canAsk)
        let message = LocalMessage.sending(.sendActivity(chosen.offer.activity, to: to))
        guard let sent = try client.ask(message, timeout: Self.timeout, \.sends).first else {
            throw Failure.unexpectedAnswer
        }
        output.show(ShownSending(sent: ShownSend(sent)))
    }
}

struct OwnActivityChoice {
    let id: String?

    /// Newest first.
    func choose(from activities: [ListedActivity], asking: Bool) throws(CommandFailure) -> ListedActivity {
        let own = activities.filter(\.isFromThisDevice)
        guard let id else {
            guard let newest = own.first else {
                throw CommandFailure(
                    .failed, code: "activityGone", "nothing is offered on this device",
                    advice: "open something in an app that takes part, or run: handoff activity publish")
            }
            return asking && own.count > 1 ? try ActivityChoice.ask(own) : newest
        }
        return try ActivityPrefix(text: id).first(
            of: own, by: \.offer.activity, nothing: "no activity on this device", several: "several activities",
            advice: "run: handoff activity list --all")
    }
}

struct ShownSending: Renderable {
    let sent: ShownSend

    func text(_ terminal: Terminal) -> String { sent.sentence }
}

extension BlockingClient {
    /// Includes this device, and what cannot be continued here.
    func activities() throws(Failure) -> [ListedActivity] {
        try ask(.advertising(.listActivities(watch: false, all: true))) {
            if case .advertising(.activityList(let list)) = $0 { list } else { nil }
        }
    }
}

extension LocalMessage {
    var sends: [SendReport]? { if case .sending(.sendList(let list)) = self { list } else { nil } }
}
