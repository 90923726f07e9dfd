// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import HandoffClient
internal import HandoffWire

struct AccountInvite: Verb {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Show a code with which another device can join.",
        discussion: """
            The code works once, for five minutes. The command waits for a device to use it, shows the number that must also \
            be on that device's screen, and asks whether to admit the device. Stopping the command ends the invite.

            Until then, new devices on the same network can list this device by its name, and join without the code. They \
            are admitted only if the numbers match. With --hidden, nothing is sent to the network.

            With --yes, any device that has the code is admitted, and the code stays valid after the command is stopped.
            """)

    @Flag(inversion: .prefixedNo, help: "Wait until the code has been used.")
    var wait = true

    @Flag(name: [.short, .long], help: "Admit the device that has the code without asking.")
    var yes = false

    @Flag(help: "Do not let new devices on the same network list this device.")
    var hidden = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard wait || yes else {
            throw ValidationError("--no-wait needs --yes: it does not ask whether to admit the device")
        }
    }

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let interruption = Interruption()
        let request = try client.begin(.identity(.createInvite(asking: !yes, announced: !yes && !hidden)))
        guard case .identity(.invite(let offer)) = try client.receiveAnswer(to: request, timeout: .seconds(30)) else {
            throw Failure.unexpectedAnswer
        }
        output.show(ShownInvite(offer))
        guard wait else { return }
        let until = offer.expires.localClock
        let stops = yes ? "stops waiting; the code stays valid" : "ends the invite"
        output.note("waiting for the other device (until \(until)); ^C \(stops)")
        // The daemon has not replied to the user's answer yet. Until then, no question is shown, and no input is an answer.
        var answering: UInt64?
        // The first is shown.
        var questions: [JoinRequestSummary] = []
        while true {
            let isAsking = answering == nil && !questions.isEmpty
            guard let frame = try client.receive(unless: interruption.descriptor, isAsking ? STDIN_FILENO : -1) else {
                if !isAsking || interruption.wait(.zero) { break }
                let answer = LocalMessage.Identity.answerJoin(questions.removeFirst().device, admit: Terminal.saysYes)
                answering = try client.begin(.identity(answer))
                continue
            }
            if let answered = answering, frame.answer == answered {
                // The end of the invite would precede it, so this is not an admission.
                if case .failure(let failure) = frame.message {
                    output.remark("\(failure.description); the code stays valid until \(until)")
                }
                answering = nil
                show(questions.first, output)
            }
            guard frame.answer == request else { continue }
            switch frame.message {
            case .identity(.joinAsked(let asked)):
                questions.append(asked)
                if questions.count == 1, answering == nil { show(asked, output) }
            case .identity(.joinLeft(let device)):
                guard let index = questions.firstIndex(where: { $0.device == device }) else { continue }
                let left = questions.remove(at: index)
                if index == 0, answering == nil {
                    output.remark("\(left.name.text) no longer asks to join")
                    show(questions.first, output)
                }
            case .identity(.inviteUsed(.success(let device))):
                return output.show(ShownJoin(joined: ShownDevice(device)))
            case .identity(.inviteUsed(.failure(let failure))), .failure(let failure): throw failure
            default: throw Failure.unexpectedAnswer
            }
        }
        output.note(yes ? "the code stays valid until \(until)" : "the code is no longer valid")
    }

    private func show(_ asked: JoinRequestSummary?, _ output: Output) {
        guard let asked else { return }
        if output.json { output.show(ShownQuestion(asked)) }
        Terminal.ask(ShownQuestion(asked).text(output.terminal))
    }
}

private struct ShownInvite: Renderable {
    let code: String
    let expires: String
    let addresses: [String]
    let announcedAs: String?

    init(_ offer: InviteOffer) {
        code = offer.code
        expires = offer.expires.iso8601
        addresses = offer.addresses
        announcedAs = offer.announcedAs?.text
    }

    func text(_ terminal: Terminal) -> String {
        """
        code       \(code)
        addresses  \(addresses.isEmpty ? "-" : addresses.joined(separator: "\n           "))

        on the other device, run this and type the code: handoff account join
        """ + (announcedAs.map { "\nor choose \($0) from the list there: handoff account join --nearby" } ?? "")
    }
}

private struct ShownQuestion: Renderable {
    let asks: Asking

    struct Asking: Encodable {
        let device: String
        let name: String
        let kind: String
        let address: String
        let number: String
    }

    init(_ asked: JoinRequestSummary) {
        asks = Asking(
            device: asked.device.description, name: asked.name.text, kind: asked.kind.word, address: asked.source,
            number: asked.number)
    }

    func text(_ terminal: Terminal) -> String {
        """
        \(asks.name) (\(asks.kind), at \(asks.address)) wants to join.
        Does it show the number \(asks.number.inHalves)?
        """
    }
}

private struct ShownJoin: Renderable {
    let joined: ShownDevice

    func text(_ terminal: Terminal) -> String { "\(joined.name) joined" }
}

extension String {
    var inHalves: String { "\(prefix(count / 2)) \(dropFirst(count / 2))" }
}
