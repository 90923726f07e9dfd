// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
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

            With --nearby, no code is needed: choose the other device from those on the same network that show an invite. \
            Join only if both devices show the same number, because any device can be in that list.
            """)

    /// To find the inviter, and prove the code.
    private static let timeout = Duration.seconds(90)
    private static let patience = JoinLimits.decision + .seconds(10)

    /// Only to explain why a code is not an argument.
    @Argument(help: .hidden)
    var code: [String] = []

    @Option(help: ArgumentHelp("The other device's address, if it is not found automatically.", valueName: "host:port"))
    var address: String?

    @Flag(help: "Choose the other device from a list instead of typing its code.")
    var nearby = false

    @Option(help: ArgumentHelp("With --nearby, the name or address of the other device.", valueName: "name"))
    var device: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard code.isEmpty else {
            throw ValidationError(
                "The code cannot be given as an argument: other users of this machine can read it there, so do not use this code. "
                    + "Make a new one on the other device with handoff account invite, which ends this one; "
                    + "then run handoff account join here and type it")
        }
        guard nearby || device == nil else { throw ValidationError("--device needs --nearby") }
        guard !nearby || address == nil else {
            throw ValidationError("--nearby finds the address; leave out --address")
        }
        if let address, NetworkAddress(address) == nil {
            throw ValidationError("--address is HOST:PORT, or [ADDRESS]:PORT for IPv6")
        }
    }

    func perform(_ output: Output) throws {
        let client = try common.connect()
        if nearby { return try joinNearby(client, output) }
        // Shown while typed: short-lived, and long enough for typing mistakes.
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

extension AccountJoin {
    private static let search = Duration.seconds(30)
    /// From the first device to the list: every invite is announced once a second.
    private static let collecting = Duration.seconds(2)

    private func joinNearby(_ client: BlockingClient, _ output: Output) throws {
        guard case .status(.status(let status)) = try client.call(.status(.getStatus)) else {
            throw Failure.unexpectedAnswer
        }
        guard status.account == nil else { throw Failure(.alreadyMember, "this device is already in an account") }
        let invite = try choose(from: invites(client, output), status)
        let join = LocalMessage.identity(.joinAccount(code: invite.code, address: invite.address, nearby: true))
        let request = try client.begin(join)
        guard case .identity(.joinNumber(let number)) = try client.receiveAnswer(to: request, timeout: Self.timeout)
        else { throw Failure.unexpectedAnswer }
        if output.json { output.show(ShownNumber(number: number)) }
        Terminal.ask("Does \(invite.name.text) show the number \(number.inHalves)?")
        // The other device may end the attempt before the answer.
        while let frame = try client.receive(unless: STDIN_FILENO, timeout: Self.patience) {
            guard frame.answer == request else { continue }
            if !output.json { Output.ask("\n") }
            if case .failure(let failure) = frame.message { throw failure }
            throw Failure.unexpectedAnswer
        }
        let matches = Terminal.saysYes
        _ = try client.begin(.identity(.confirmJoin(matches: matches)))
        if matches { output.note("confirm the number on \(invite.name.text) too") }
        guard let account = try client.receiveAnswer(to: request, timeout: Self.patience).account else {
            throw Failure.unexpectedAnswer
        }
        output.show(ShownAccount(account))
    }

    private func invites(_ client: BlockingClient, _ output: Output) throws -> [NearbyInvite] {
        output.note("looking for devices on this network that show an invite…")
        let request = try client.begin(.identity(.listNearby))
        var end = ContinuousClock.now + Self.search
        var invites: [NearbyInvite] = []
        while ContinuousClock.now < end {
            let frame: LocalFrame
            do throws(Failure) {
                frame = try client.receive(timeout: ContinuousClock.now.duration(to: end))
            } catch {
                // The list changes only with the network.
                guard ContinuousClock.now < end else { break }
                throw error
            }
            guard frame.answer == request else { continue }
            switch frame.message {
            case .identity(.nearbyList(let list)):
                if fitting(invites).isEmpty, !fitting(list).isEmpty {
                    end = min(end, ContinuousClock.now + Self.collecting)
                }
                invites = list
            case .failure(let failure): throw failure
            default: throw Failure.unexpectedAnswer
            }
        }
        return invites
    }

    private func fitting(_ invites: [NearbyInvite]) -> [NearbyInvite] {
        device.map { name in invites.filter { $0.isNamed(name) } } ?? invites
    }

    private func choose(
        from invites: [NearbyInvite], _ status: DaemonStatus
    ) throws(CommandFailure) -> NearbyInvite {
        let fitting = fitting(invites)
        guard let first = fitting.first else {
            let missing =
                device.map { "no device named \($0) on this network shows an invite" }
                ?? "no device on this network shows an invite"
            throw CommandFailure(
                .failed, code: "inviterNotFound", ([missing] + status.warnings).joined(separator: "; "),
                advice: "run on the other device: handoff account invite")
        }
        guard fitting.count > 1 else { return first }
        guard Terminal.canAsk else {
            throw .usage(
                "several devices show an invite: "
                    + fitting.map { "\($0.name.text) at \($0.address)" }.joined(separator: ", ")
                    + "; choose one with --device NAME or ADDRESS")
        }
        for (number, invite) in fitting.enumerated() {
            Output.ask("\(number + 1)  \(invite.name.text) (\(invite.kind.word), at \(invite.address))\n")
        }
        let answer = try Terminal.readLine(asking: "which one?", isShown: true).filter { !$0.isWhitespace }
        guard let number = Int(answer), fitting.indices.contains(number - 1) else {
            throw .usage("the list has no number \(DisplayText(cleaning: answer, limit: 16))")
        }
        return fitting[number - 1]
    }
}

extension NearbyInvite {
    fileprivate func isNamed(_ name: String) -> Bool {
        self.name.text.lowercased() == name.lowercased() || address == name
    }
}

private struct ShownNumber: Renderable {
    let number: String

    func text(_ terminal: Terminal) -> String { number.inHalves }
}
