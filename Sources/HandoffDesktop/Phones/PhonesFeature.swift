// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffWire

final class PhonesFeature: DesktopFeature {
    private let daemon: DaemonClient
    private let programs: [any PhoneProgram]
    /// On the current connection to the daemon.
    private var reported: [Phone]?

    init(daemon: DaemonClient, programs: [any PhoneProgram] = [KDEConnectPhones(), GSConnectPhones()]) {
        self.daemon = daemon
        self.programs = programs
        for program in programs { program.changed = { [unowned self] in report() } }
        daemon.received = { [unowned self] in received($0, $1) }
    }

    func busConnected(_ bus: BusConnection) { programs.forEach { $0.busConnected(bus) } }
    func busDisconnected() { programs.forEach { $0.busDisconnected() } }

    func daemonConnected(_ welcome: Welcome) {
        reported = nil
        report()
    }

    func daemonDisconnected() { reported = nil }

    /// In the order of preference of the programs. The same phone appears once.
    private var phones: [Phone] {
        var known: Set<PhoneID> = []
        let phones = programs.flatMap(\.phones).filter { known.insert($0.id).inserted }
        return Array(phones.prefix(Limits.phones))
    }

    private func report() {
        let phones = phones
        guard daemon.isConnected, phones != reported ?? [] else { return }
        reported = phones
        daemon.send(.phones(.setPhones(phones)))
    }

    private func received(_ message: LocalMessage, _ ticket: AnswerTicket?) {
        guard let ticket else { return }
        guard case .phones(.shareWithPhone(let item, let id, let link)) = message else {
            return daemon.answer(ticket, .failure(Failure(.unimplemented, "handoff-bus cannot do that")))
        }
        share(item, with: id, by: link) { [weak self] result in
            switch result {
            case .success: self?.daemon.answer(ticket, .done(accepted: true))
            case .failure(let failure): self?.daemon.answer(ticket, .failure(failure))
            }
        }
    }

    private func share(
        _ item: PhoneItem, with id: PhoneID, by link: PhoneLink,
        completion: @escaping (Result<Void, Failure>) -> Void
    ) {
        let program = programs.first { $0.link == link }
        guard let program, let phone = program.phones.first(where: { $0.id == id }) else {
            return completion(.failure(Failure(.deviceLost, "\(link.name) cannot reach that phone now")))
        }
        guard let uri = item.uri else {
            let reason = "the path of the file is not UTF-8, and \(link.name) accepts only such paths"
            return completion(.failure(Failure(.notAllowed, reason)))
        }
        program.share(uri, with: phone, completion: completion)
    }
}
