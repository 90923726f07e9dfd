// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountCreate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an account with this device in it.",
        discussion: """
            Shows the recovery key once. Anyone who has it can add a device to the account and remove all others.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let account = try common.connect().ask(.identity(.createAccount)) { $0.account }
        output.show(
            ShownAccount(account),
            ifLost: "the recovery key is lost; run: handoff account leave --yes    and create the account again")
        output.note(
            """
            write the recovery key down and keep it away from your devices: it is shown only now and stored nowhere. If you \
            lose all your devices, it restores the account: handoff account recover
            """)
        output.note("add another device: handoff account invite")
    }
}
