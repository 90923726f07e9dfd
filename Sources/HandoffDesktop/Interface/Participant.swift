// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

/// The daemon identifies its connection by its `BusCaller`.
final class Participant {
    typealias Registered = (Result<Welcome, Failure>) -> Void

    struct Connection {
        let daemon: DaemonClient
        /// The same connection, for threads.
        let line: any DaemonLine
        let loop: BusLoop
    }

    /// Answers to `Save` with files, each on a thread. Beyond it, states are sent without files.
    static let transfers = 4

    let app: AppObject
    private let connection: Connection
    private let sandbox: Sandbox?
    private var transfers = 0
    var daemon: DaemonClient { connection.daemon }
    var machine = ParticipantStateMachine()
    var activity: OfferedActivity?
    var streams = ParticipantStreams()
    private var registered: Registered?
    private let ended: () -> Void
    private var nameWatch: BusSlot?

    /// `registered` is called once. `ended`: dropped by the daemon, or lost its name.
    init(
        _ app: AppObject, _ connection: Connection, in sandbox: Sandbox?, registered: @escaping Registered,
        ended: @escaping () -> Void
    ) {
        self.app = app
        self.connection = connection
        self.sandbox = sandbox
        self.registered = registered
        self.ended = ended
        daemon.connected = { [weak self] in self?.welcomed($0) }
        daemon.disconnected = { [weak self] in self?.lost() }
        daemon.unavailable = { [weak self] in self?.refused($0) }
        daemon.received = { [weak self] in self?.received($0, $1) }
    }

    /// `name`: if another program acquires it, this ends.
    func start(knownBy name: String?) throws(BusFailure) {
        if let name {
            nameWatch = try app.bus.watchName(name) { [weak self] in self?.nameBelongs(to: $0) }
        }
        daemon.start()
    }

    // MARK: The daemon

    private func welcomed(_ welcome: Welcome) {
        switch machine.welcomed() {
        case .answerRegistration: settle(.success(welcome))
        case .publishAgain(let publication): daemon.request(.advertising(.publish(publication))) { _ in }
        case .nothing: break
        }
    }

    private func lost() {
        fail(machine.daemonLost(), Failure(.connectionUnavailable, "the connection to the daemon was lost"))
        streams.lost()
    }

    private func refused(_ failure: Failure) {
        switch machine.refused(failure) {
        case .answerRegistration:
            daemon.stop()
            settle(.failure(failure))
            ended()
        case .end: end(failure)
        case .nothing: break
        }
    }

    private func settle(_ result: Result<Welcome, Failure>) {
        let registered = registered.take()
        registered?(result)
    }

    private func received(_ message: LocalMessage, _ ticket: AnswerTicket?) {
        switch message {
        case .advertising(.save(let id, let deadline, let withFiles)):
            save(id, within: deadline, withFiles: withFiles, ticket)
        case .continuation(.willContinue(let id, let type, let device)): willContinue(id, type, device, ticket)
        case .continuation(.continueActivity(let id, let state, let documents)):
            goOn(id, state, documents, ticket)
        case .continuation(.didFail(let id, _, let failure)): fail(machine.settled(id).map { [$0] } ?? [], failure)
        case .continuation(.wasContinued(let id, let device)):
            app.tell("WasContinued", [.string(id.hex), .string(device.text)])
        case .streams(.streamWanted(let wanted)): streamWanted(wanted, ticket)
        case .streams(.streamEnded(let end)): streamEnded(end)
        default: answer(ticket, .failure(Failure(.unimplemented, "programs on the bus do not answer that request")))
        }
    }

    func answer(_ ticket: AnswerTicket?, _ message: LocalMessage) {
        if let ticket { daemon.answer(ticket, message) }
    }

    // MARK: The program

    func left() {
        _ = machine.ended()
        close()
    }

    private func nameBelongs(to owner: String?) {
        guard owner != app.caller else { return }
        end(Failure(.appGone, "the program has lost its name on the bus"))
    }

    /// The program is still connected, and is notified.
    private func end(_ failure: Failure) {
        fail(machine.ended(), failure)
        app.tell("Unregistered", [failure.busDetails])
        close()
        ended()
    }

    private func close() {
        nameWatch = nil
        daemon.stop()
        settle(.failure(Failure(.appGone, "the program has left")))
    }

    private func fail(_ announced: [ParticipantStateMachine.Announced], _ failure: Failure) {
        for each in announced {
            app.tell(
                "DidFail", [.string(each.continuation.hex), .string(each.type.name), failure.busDetails])
        }
    }
}

// MARK: - Offering

extension Participant {
    func publish(_ offered: OfferedActivity, then: @escaping (Result<LocalMessage, Failure>) -> Void) {
        guard machine.published(offered.publication) else {
            return then(.failure(Failure(.appGone, "the program no longer takes part")))
        }
        activity = offered
        // Published when the daemon is back.
        guard machine.isOpen else { return then(.success(.done(accepted: true))) }
        daemon.request(.advertising(.publish(offered.publication))) { [weak self] result in
            if case .failure(let failure) = result, failure.code != .connectionUnavailable { self?.refused(offered.id) }
            then(result)
        }
        if offered.needsSave { daemon.send(.advertising(.changed(offered.id))) }
    }

    private func refused(_ id: ActivityID) {
        guard activity?.id == id, machine.withdrew(id) else { return }
        activity = nil
    }

    /// False if it was not offered.
    func withdraw(_ id: ActivityID) -> Bool {
        guard machine.withdrew(id) else { return false }
        activity = nil
        daemon.send(.advertising(.withdraw(id)))
        return true
    }

    func changed(_ id: ActivityID) -> Bool {
        guard activity?.id == id else { return false }
        if activity?.needsSave == false { daemon.send(.advertising(.changed(id))) }
        activity?.needsSave = true
        return true
    }

    private func save(_ id: ActivityID, within deadline: Duration, withFiles: Bool, _ ticket: AnswerTicket?) {
        guard let offered = activity, offered.id == id else { return answer(ticket, .notCurrent) }
        guard offered.needsSave || offered.alwaysSaves || withFiles && offered.givesFiles else {
            return answer(ticket, .advertising(.saved(offered.state, saving: .zero)))
        }
        let started = ContinuousClock.now
        // Later changes are not part of the answer.
        activity?.needsSave = false
        app.ask("Save", [.string(id.hex)], within: deadline) { [weak self] result in
            self?.saved(id, result, since: started, withFiles: withFiles, ticket)
        }
    }

    private func saved(
        _ id: ActivityID, _ result: Result<BusMessage, BusFailure>, since started: ContinuousClock.Instant,
        withFiles: Bool, _ ticket: AnswerTicket?
    ) {
        do throws(Failure) {
            var files: GivenFiles?
            guard var offered = activity, offered.id == id else { return answer(ticket, .notCurrent) }
            switch result {
            case .success(let message):
                guard var properties = message[0]?.properties else {
                    throw Failure(.malformed, "the program's answer to Save is not of type a{sv}")
                }
                files = try GivenFiles(properties.removeValue(forKey: "files"))
                let (before, needsSave) = (offered.publication, offered.needsSave)
                try offered.apply(properties)
                (offered.needsSave, offered.givesFiles) = (needsSave, files?.isEmpty == false)
                activity = offered
                if offered.publication != before, machine.published(offered.publication) {
                    daemon.send(.advertising(.publish(offered.publication)))
                }
            // The program has no changes.
            case .failure(let failure) where failure.name == BusFailure.unknownMethod: break
            case .failure(let failure): throw failure.asAnswer
            }
            let (state, time) = (offered.state, started.duration(to: .now))
            guard withFiles, let files, !files.isEmpty else {
                return answer(ticket, .advertising(.saved(state, saving: time)))
            }
            pass(files) { [weak self] in self?.answer(ticket, .advertising(.saved(state, saving: time, files: $0))) }
        } catch {
            if activity?.id == id { activity?.needsSave = true }
            answer(ticket, .failure(error))
        }
    }

    private func pass(_ files: GivenFiles, then: @escaping ([SavedFile]) -> Void) {
        guard transfers < Self.transfers else { return then([]) }
        transfers += 1
        let ended = { [weak self] (saved: [SavedFile]) in
            self?.transfers -= 1
            then(saved)
        }
        if !connection.loop.runOnThread({ [line = connection.line] in files.pass(on: line) }, then: ended) { ended([]) }
    }
}

// MARK: - Continuing

extension Participant {
    private func willContinue(
        _ id: ContinuationID, _ type: ActivityType, _ device: DisplayText, _ ticket: AnswerTicket?
    ) {
        guard machine.announce(id, type) else {
            return answer(
                ticket, .failure(Failure(.limitReached, "the program has reached its limit of incoming activities")))
        }
        app.ask("WillContinue", [.string(id.hex), .string(type.name), .string(device.text)]) { [weak self] result in
            self?.hooked(result, ticket)
        }
    }

    private func goOn(
        _ id: ContinuationID, _ state: ActivityState, _ documents: [DeliveredDocument], _ ticket: AnswerTicket?
    ) {
        guard let announced = machine.settled(id) else {
            return answer(ticket, .failure(Failure(.malformed, "no such continuation was announced")))
        }
        do throws(Failure) {
            let properties = try OfferedActivity.properties(of: state)
            let ask = { [weak self, app] (documents: [DeliveredDocument]) in
                app.ask("Continue", [.string(id.hex), properties, .list(documents.map(\.bus))]) {
                    self?.hooked($0, ticket)
                }
            }
            guard case .flatpak(let package)? = sandbox, !documents.isEmpty else { return ask(documents) }
            DocumentsPortal(bus: app.bus, loop: connection.loop).give(documents, to: package, then: ask)
        } catch {
            fail([announced], error)
            answer(ticket, .failure(error))
        }
    }

    /// A program without this method accepts.
    private func hooked(_ result: Result<BusMessage, BusFailure>, _ ticket: AnswerTicket?) {
        switch result {
        case .success(let message): answer(ticket, .done(accepted: message[0]?.flag ?? true))
        case .failure(let failure) where failure.name == BusFailure.unknownMethod:
            answer(ticket, .done(accepted: true))
        case .failure(let failure): answer(ticket, .failure(failure.asAnswer))
        }
    }
}

extension LocalMessage {
    fileprivate static let notCurrent = LocalMessage.failure(
        Failure(.activityGone, "the activity is no longer current"))
}
