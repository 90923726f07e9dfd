// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffWire

struct ActivityOutbox: Verb {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "List activities waiting to be sent, and those that were refused.",
        aliases: ["sends"])

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let sends = try common.connect().ask(.sending(.listSends), \.sends)
        output.show(Listing(sends.map(ShownSend.init), ifEmpty: "nothing is waiting to be sent"))
    }
}

struct ActivityCancel: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Take back an activity that is waiting to be sent.",
        discussion: """
            An activity that the other device has accepted can be dismissed only there. A refused activity is removed from the list.
            """,
        aliases: ["unsend"])

    @Argument(
        help: "The beginning of its ID, as handoff activity outbox shows it.", completion: Completion.outbox)
    var id: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let first = try ActivityPrefix(text: id).first(
            of: try client.ask(.sending(.listSends), \.sends), by: \.offer.activity,
            nothing: "nothing that is waiting to be sent", several: "several", advice: "run: handoff activity outbox")
        let unsent = try client.ask(.sending(.unsendActivity(first.offer.activity)), \.sends)
        guard let unsent = unsent.first else { throw Failure.unexpectedAnswer }
        output.show(ShownUnsending(unsent: ShownSend(unsent)))
    }
}

private struct ShownUnsending: Renderable {
    let unsent: ShownSend

    func text(_ terminal: Terminal) -> String {
        unsent.standing == .refused
            ? "removed from the list" : "taken back: it will not be sent to \(unsent.deviceName)"
    }
}

struct ShownSend: Listed {
    static let columns: [Table.Column] = [
        "ID", .elastic("TITLE"), .elastic("APP"), .elastic("TO"), "SENT", "STANDING",
    ]

    package enum Standing: String, Encodable {
        case waiting, refused, taken
    }

    let activity: String
    let type: String
    let title: String?
    let app: String?
    let appName: String
    let device: String
    let deviceName: String
    let sent: String
    let until: String
    let standing: Standing
    let reason: String?
    private let shownTitle: String
    private let sentLocal: String
    private let untilLocal: String

    enum CodingKeys: CodingKey {
        case activity, type, title, app, appName, device, deviceName, sent, until, standing, reason
    }

    init(_ report: SendReport) {
        let offer = report.offer
        activity = offer.activity.hex
        type = offer.type.name
        title = offer.title?.text
        app = offer.bundle?.name
        appName = offer.appName.text
        device = report.device.description
        deviceName = report.deviceName.text
        sent = report.sent.iso8601
        until = report.until.iso8601
        switch report.standing {
        case .waiting(let problem): (standing, reason) = (.waiting, problem?.reason)
        case .refused(let failure): (standing, reason) = (.refused, failure.reason)
        case .taken: (standing, reason) = (.taken, nil)
        }
        shownTitle = offer.shownTitle
        sentLocal = report.sent.local
        untilLocal = report.until.local
    }

    var sentence: String {
        switch standing {
        case .taken: "sent to \(deviceName)"
        case .refused: "\(deviceName) refused it: \(reason ?? "")"
        case .waiting:
            (reason.map { "\(deviceName) has not taken it yet: \($0)" } ?? "\(deviceName) is not connected")
                + "\nkept here until it can be sent, at most until \(untilLocal); "
                + "to take it back: handoff activity cancel \(activity.prefix(8))"
        }
    }

    var cells: [String] {
        [
            String(activity.prefix(8)), shownTitle, appName, deviceName, sentLocal,
            standing.rawValue + (reason.map { ": \($0)" } ?? ""),
        ]
    }
}
