// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffWire

struct AccountRecover: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Bring this device into an account with the recovery key.",
        discussion: """
            The account starts again with this device. Devices that this device knows as members stay, except those that you \
            remove. If this device does not know the account, no other device remains a member.

            The key is read from the terminal or from standard input. It cannot be given as an argument, because other users \
            could see it there.
            """)

    @Flag(help: "Remove every other device from the account.")
    var removeOthers = false

    @Option(help: ArgumentHelp("A device to remove: its name, or the beginning of its ID."))
    var remove: [String] = []

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let wish = RecoverAccount(
            key: try Terminal.readLine(asking: "recovery key", isShown: false), removeOthers: removeOthers,
            remove: remove)
        let account = try client.ask(.identity(.recoverAccount(wish))) { $0.account }
        output.show(ShownAccount(account))
        if account.devices.count == 1 {
            output.note("this is now the only device; add another: handoff account invite")
        }
    }
}

struct AccountLeave: Verb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Remove this device from its account, and forget the account here.",
        discussion: "The device gets a new key, with which it can join or create an account.")

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        try Terminal.confirming("Leave?", yes: yes) { (isConfirmed) throws(Failure) in
            _ = try client.ask(.identity(.leaveAccount(evenAsMember: isConfirmed))) {
                if case .done = $0 { true } else { nil }
            }
        }
        output.show(ShownLeaving(left: true))
        output.note("this device has a new key: it can now join or create an account")
    }
}

private struct ShownLeaving: Renderable {
    let left: Bool

    func text(_ terminal: Terminal) -> String { "the account is forgotten here" }
}
