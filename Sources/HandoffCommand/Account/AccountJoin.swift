// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct AccountJoin: Verb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join the account of the device that shows the code.")

    /// Looking for the inviter, and proving the code to it.
    private static let timeout = Duration.seconds(90)

    @Argument(help: "The code, with or without its dashes.")
    var code: [String]

    @Option(help: ArgumentHelp("The other device's address, if it is not found automatically.", valueName: "host:port"))
    var address: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let address, NetworkAddress(address) == nil {
            throw ValidationError("--address is HOST:PORT, or [ADDRESS]:PORT for IPv6")
        }
    }

    func perform(_ output: Output) throws {
        let client = try common.connect()
        output.note(address == nil ? "looking for the other device…" : "asking \(address ?? "")…")
        let message = LocalMessage.identity(.joinAccount(code: code.joined(), address: address))
        let account = try client.ask(message, timeout: Self.timeout) { $0.account }
        output.show(ShownAccount(account))
    }
}
