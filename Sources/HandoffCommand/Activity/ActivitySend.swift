// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct ActivitySend: Verb {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send an activity of this device to another of your devices, or to a phone.",
        discussion: """
            Without an ID, sends the newest activity offered here; on a terminal, asks which if there are several. The other \
            device keeps the activity until it is continued or dismissed there, whatever happens to the original. If that \
            device is not connected, this device keeps the activity for up to a week and sends it when the device is back.

            Streams are not sent. An activity that names files on this device cannot be sent.

            A phone that KDE Connect or GSConnect can reach accepts the web page of an activity, the address of any web page \
            in place of an ID, and a file. The program is asked to send it; it does not report whether it arrived.
            """)

    /// Longer than the daemon's deadlines: the device first takes earlier sends.
    private static let timeout = Duration.seconds(120)

    @Argument(
        help: ArgumentHelp(
            "The beginning of the activity's ID, as handoff activity list --all shows it; or the address of a web page.",
            valueName: "id"), completion: Completion.own
    )
    var id: String?

    @Option(
        help: ArgumentHelp(
            "The device: its name, or the beginning of its ID; or a phone: its name or ID, or NAME (phone) if a device has the "
                + "same name.",
            valueName: "device"),
        completion: Completion.receivers)
    var to: String

    @Option(help: ArgumentHelp("A file for a phone.", valueName: "path"), completion: .file())
    var file: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard id == nil || file == nil else { throw ValidationError("send either an activity, a page or a file") }
    }

    private var item: PhoneItem? {
        get throws {
            if let file { return try GivenItem.file(file) }
            return try id.flatMap(GivenItem.page)
        }
    }

    func perform(_ output: Output) throws {
        let item = try item
        let client = try common.connect()
        if let item {
            let phone = try client.ask(.phones(.sendToPhone(item, to: to)), timeout: Self.timeout, \.handedPhone)
            return output.show(ShownHanding(handed: ShownPhone(phone)))
        }
        let activities = try client.activities()
        let chosen = try OwnActivityChoice(id: id).choose(
            from: activities, asking: !output.json && Terminal.canAsk)
        let message = LocalMessage.sending(.sendActivity(chosen.offer.activity, to: to))
        let answer = try client.call(message, timeout: Self.timeout)
        if let phone = answer.handedPhone { return output.show(ShownHanding(handed: ShownPhone(phone))) }
        guard let sent = answer.sends?.first else { throw Failure.unexpectedAnswer }
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
    var handedPhone: Phone? { if case .phones(.handedToPhone(let phone)) = self { phone } else { nil } }
    var phones: [Phone]? { if case .phones(.phoneList(let list)) = self { list } else { nil } }
    var sends: [SendReport]? { if case .sending(.sendList(let list)) = self { list } else { nil } }
}
