// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountCreate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an account with this device in it.",
        discussion: """
            Shows the recovery key. Anyone who has it can add a device to the account and remove all others. Until you confirm \
            that you have it, handoff account key shows it again.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        try ShownAccount.showKey(client.ask(.identity(.createAccount)) { $0.account }, client, output)
        output.note("add another device: handoff account invite")
    }
}

struct AccountShow: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the account and its devices.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownAccount(try common.connect().ask(.identity(.showAccount)) { $0.account }))
    }
}

struct ShownAccount: Renderable {
    let account: String
    let devices: [ShownDevice]
    let recoveryKey: String?

    init(_ summary: AccountSummary) {
        account = summary.account.hex
        recoveryKey = summary.recoveryKey
        devices = summary.devices.map(ShownDevice.init)
    }

    func text(_ terminal: Terminal) -> String {
        let lines = "account \(account.prefix(8))\n" + Table(devices).text(terminal)
        guard let recoveryKey else { return lines }
        return lines + "\n\nrecovery key  \(recoveryKey)\n"
    }
}

extension LocalMessage {
    var account: AccountSummary? { if case .identity(.account(let summary)) = self { summary } else { nil } }
}
