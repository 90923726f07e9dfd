// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountLeave: Verb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Remove this device from its account, and forget the account here.",
        discussion: "The device gets a new key, with which it can join or create an account.")

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        do throws(Failure) {
            try Self.leave(client, evenAsMember: yes)
        } catch {
            guard error.code == .notAllowed, !yes, Terminal.canAsk else { throw error }
            Output.ask("\(error.reason). Leave? [y/N] ")
            guard Terminal.saysYes else { throw CommandFailure(.failed, code: "cancelled", "nothing was changed") }
            try Self.leave(client, evenAsMember: true)
        }
        output.show(ShownLeaving(left: true))
        output.note("this device has a new key: it can now join or create an account")
    }

    private static func leave(_ client: BlockingClient, evenAsMember: Bool) throws(Failure) {
        _ = try client.ask(.identity(.leaveAccount(evenAsMember: evenAsMember))) {
            if case .done = $0 { true } else { nil }
        }
    }
}

private struct ShownLeaving: Renderable {
    let left: Bool

    func text(_ terminal: Terminal) -> String { "the account is forgotten here" }
}
