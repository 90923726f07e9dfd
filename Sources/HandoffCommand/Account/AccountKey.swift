// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountKey: Verb {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Show the recovery key again, until you confirm that you have it.",
        discussion: """
            Only on the device that created the account, and only until handoffd stops: the key is stored nowhere. A lost key \
            is replaced by handoff account new-key.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        try ShownAccount.showKey(client.ask(.identity(.showRecoveryKey)) { $0.account }, client, output)
    }
}

struct AccountNewKey: Verb {
    static let configuration = CommandConfiguration(
        commandName: "new-key", abstract: "Replace the recovery key.",
        discussion: """
            The recovery key is the root of the account, so a new key begins a new account, with this device in it. Other \
            devices stay in the old account, without this one. On each of them, run handoff account leave --yes, and add it \
            again. After that, the old key opens an account without devices.
            """)

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        var mayHaveOthers = false
        let account = try Terminal.confirming("Replace the key?", yes: yes) { (isConfirmed) throws(Failure) in
            mayHaveOthers = isConfirmed
            return try client.ask(.identity(.newRecoveryKey(evenWithOthers: isConfirmed))) { $0.account }
        }
        try ShownAccount.showKey(account, client, output)
        guard mayHaveOthers else { return }
        output.note("on each other device: handoff account leave --yes    then add it again: handoff account invite")
    }
}

extension ShownAccount {
    /// A person confirms the key, perhaps later. A script that reads it has it.
    static func showKey(_ account: AccountSummary, _ client: BlockingClient, _ output: Output) throws {
        output.show(ShownAccount(account), ifLost: "to show the recovery key again: handoff account key")
        output.note(
            """
            write the recovery key down and keep it away from your devices: it is stored nowhere. If you lose all your \
            devices, it restores the account: handoff account recover
            """)
        if !output.json, Terminal.canAsk, !hasWritten(account.recoveryKey ?? "") {
            return output.note("not confirmed; to show the key again until handoffd stops: handoff account key")
        }
        _ = try client.ask(.identity(.confirmRecoveryKey)) { if case .done = $0 { true } else { nil } }
    }

    private static func hasWritten(_ key: String) -> Bool {
        while true {
            Output.ask("To confirm that you have it, type its last five characters (Return: later): ")
            guard let typed = Swift.readLine(), !typed.allSatisfy(\.isWhitespace) else { return false }
            if AccountSummary.recoveryKey(key, endsWith: typed) { return true }
            Output.ask("These do not match the end of the key.\n")
        }
    }
}
