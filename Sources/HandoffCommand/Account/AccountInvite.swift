// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct AccountInvite: Verb {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Show a code with which another device can join.",
        discussion: "The code works once, within five minutes. The command waits until it has been used.")

    @Flag(inversion: .prefixedNo, help: "Wait until the code has been used.")
    var wait = true

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let interruption = Interruption()
        let request = try client.begin(.identity(.createInvite))
        guard case .identity(.invite(let offer)) = try client.receiveAnswer(to: request, timeout: .seconds(30)) else {
            throw Failure.unexpectedAnswer
        }
        output.show(ShownInvite(offer))
        guard wait else { return }
        output.note(
            "waiting for the other device (until \(offer.expires.localClock)); ^C stops waiting; the code stays valid")
        while let frame = try client.receive(unless: interruption.descriptor) {
            guard frame.answer == request else { continue }
            switch frame.message {
            case .identity(.inviteUsed(.success(let device))):
                return output.show(ShownJoin(joined: ShownDevice(device)))
            case .identity(.inviteUsed(.failure(let failure))), .failure(let failure): throw failure
            default: throw Failure.unexpectedAnswer
            }
        }
        output.note("the code stays valid until \(offer.expires.localClock)")
    }
}

private struct ShownInvite: Renderable {
    let code: String
    let expires: String
    let addresses: [String]

    init(_ offer: InviteOffer) {
        code = offer.code
        expires = offer.expires.iso8601
        addresses = offer.addresses
    }

    func text(_ terminal: Terminal) -> String {
        """
        code       \(code)
        addresses  \(addresses.isEmpty ? "-" : addresses.joined(separator: " "))

        on the other device, run this and type the code: handoff account join
        """
    }
}

private struct ShownJoin: Renderable {
    let joined: ShownDevice

    func text(_ terminal: Terminal) -> String { "\(joined.name) joined" }
}
