// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct ActivitySends: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sends", abstract: "List activities waiting to be sent, and those that were refused.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let sends = try common.connect().ask(.sending(.listSends), \.sends)
        output.show(Listing(sends.map(ShownSend.init), ifEmpty: "nothing is waiting to be sent"))
    }
}

struct ActivityUnsend: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unsend", abstract: "Take back an activity that is waiting to be sent.",
        discussion: """
            An activity that the other device has accepted can be dismissed only there. A refused activity is removed from the list.
            """)

    @Argument(help: "The beginning of its ID, as handoff activity sends shows it.")
    var id: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let first = try ActivityPrefix(text: id).first(
            of: try client.ask(.sending(.listSends), \.sends), by: \.offer.activity,
            nothing: "nothing that is waiting to be sent", several: "several", advice: "run: handoff activity sends")
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
