// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountCreate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an account with this device in it.",
        discussion: """
            Shows the recovery key, once. Whoever has it can bring a device into the account and shut the others out.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let account = try common.connect().ask(.identity(.createAccount)) { $0.account }
        output.show(
            ShownAccount(account),
            ifLost: "the recovery key is lost; run: handoff account leave --yes    and create the account again")
        output.note(
            """
            write the recovery key down and keep it away from your devices: it is shown this once and stored nowhere. With \
            it you get back in when no device is left, by: handoff account recover
            """)
        output.note("add another device: handoff account invite")
    }
}
