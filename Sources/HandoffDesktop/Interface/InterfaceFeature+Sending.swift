// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffWire

extension InterfaceFeature {
    var sending: [BusInterface.Method] {
        [
            method(
                "Send", ["activity": "s", "device": "s", "options": "a{sv}"], gives: ["send": "a{sv}"],
                InterfaceFeature.send),
            method("ListSends", gives: ["sends": "aa{sv}"], InterfaceFeature.listSends),
            method("Unsend", ["activity": "s"], InterfaceFeature.unsend),
            method("Dismiss", ["activity": "s", "device": "s"], InterfaceFeature.dismiss),
        ]
    }

    private func send(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        _ = try options(message[2], known: [])
        let wish = LocalMessage.sending(.sendActivity(try activity(message[0]), to: message[1]?.text ?? ""))
        try ask(wish, for: caller, reply) { answer in
            switch answer {
            case .sending(.sendList(let list)): list.first.map { [$0.bus] }
            case .phones(.handedToPhone(let phone)): [phone.bus]
            default: nil
            }
        }
    }

    private func listSends(_ caller: Caller, _: BusMessage, _ reply: BusReply) throws(BusFailure) {
        try ask(.sending(.listSends), for: caller, reply) { answer in
            guard case .sending(.sendList(let list)) = answer else { return nil }
            return [.list(list.map(\.bus))]
        }
    }

    private func unsend(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        try ask(.sending(.unsendActivity(try activity(message[0]))), for: caller, reply) { answer in
            if case .sending(.sendList) = answer { [] } else { nil }
        }
    }

    private func dismiss(_ caller: Caller, _ message: BusMessage, _ reply: BusReply) throws(BusFailure) {
        let wish = LocalMessage.sending(.dismissSent(try activity(message[0]), from: try device(message[1])))
        try ask(wish, for: caller, reply) { answer in
            if case .done = answer { [] } else { nil }
        }
    }

    /// `read` returns nil for an unexpected answer.
    private func ask(
        _ question: LocalMessage, for caller: Caller, _ reply: BusReply,
        _ read: @escaping (LocalMessage) -> [BusValue]?
    ) throws(BusFailure) {
        try checkDaemon()
        let answered: DaemonClient.Completion = { result in
            switch result.flatMap({ answer in read(answer).map(Result.success) ?? .failure(.unexpectedAnswer) }) {
            case .success(let values): reply.answer(values)
            case .failure(let failure): reply.fail(BusFailure(failure))
            }
        }
        calls.request(question, completion: try caller.question(answered))
    }
}
