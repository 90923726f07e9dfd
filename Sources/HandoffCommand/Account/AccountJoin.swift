// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct AccountJoin: Verb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join the account of the device that shows the code.",
        discussion: """
            If the other device asks for confirmation, this one shows the number that must be on both screens.

            The code is read from the terminal or from standard input. Spaces, dashes and case are ignored. It cannot be \
            given as an argument, because other users of this machine could read it there and join first.
            """)

    /// To find the inviter, and prove the code.
    private static let timeout = Duration.seconds(90)
    private static let patience = JoinLimits.decision + .seconds(10)

    /// Only to explain why a code is not an argument.
    @Argument(help: .hidden)
    var code: [String] = []

    @Option(help: ArgumentHelp("The other device's address, if it is not found automatically.", valueName: "host:port"))
    var address: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard code.isEmpty else {
            throw ValidationError(
                "The code cannot be given as an argument: other users of this machine can read it there, so do not use this code. "
                    + "Make a new one on the other device with handoff account invite, which ends this one; "
                    + "then run handoff account join here and type it.")
        }
        if let address, NetworkAddress(address) == nil {
            throw ValidationError("--address is HOST:PORT, or [ADDRESS]:PORT for IPv6")
        }
    }

    func perform(_ output: Output) throws {
        let client = try common.connect()
        // Shown while typed: valid only for minutes, and long enough for typing mistakes.
        let code = try Terminal.readLine(asking: "code", isShown: true).filter { !$0.isWhitespace }
        output.note(address == nil ? "looking for the other device…" : "asking \(address ?? "")…")
        let message = LocalMessage.identity(.joinAccount(code: code, address: address))
        let request = try client.begin(message)
        var answer = try client.receiveAnswer(to: request, timeout: Self.timeout)
        if case .identity(.joinNumber(let number)) = answer {
            output.note("the other device should show the number \(number.inHalves) now; if it does, confirm it there")
            if output.json { output.show(ShownNumber(number: number)) }
            answer = try client.receiveAnswer(to: request, timeout: Self.patience)
        }
        guard let account = answer.account else { throw Failure.unexpectedAnswer }
        output.show(ShownAccount(account))
    }
}

private struct ShownNumber: Renderable {
    let number: String

    func text(_ terminal: Terminal) -> String { number.inHalves }
}
