// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
internal import Logging

/// Checks streams' permissions, issues tokens, and joins the app's link with the link to the other device. A cut must
/// never be mistaken for an end.
package final class StreamsService: Feature {
    private let boards: AdvertisingService
    private let sessions: any PeerMessaging
    private let network: any PeerNetwork
    private let apps: AppsService
    private let membership: any Membership
    private let policy: PolicyService
    private let time: any TimeSource
    private var random: Randomness
    private let memory: MemoryAfterLoad
    private let limits: StreamLimits
    private let log: Logger

    private var machine: StreamsStateMachine<LinkHandle>
    private var ledger: StreamLedger
    private var clients: [ClientID: any Client] = [:]
    private var openings: [StreamID: (Result<StreamToken, Failure>) -> Void] = [:]
    private var alarm: (any Alarm)?
    private let budget = StreamBudget()
    private let documents: DocumentOrigin

    init(
        boards: AdvertisingService, sessions: any PeerMessaging, network: any PeerNetwork,
        apps: AppsService, membership: any Membership, policy: PolicyService, documents: DocumentOrigin,
        time: any TimeSource, random: Randomness, memory: (any ProcessMemory)? = nil,
        limits: StreamLimits = StreamLimits(), log: Logger
    ) {
        self.boards = boards
        self.sessions = sessions
        self.network = network
        self.apps = apps
        self.membership = membership
        self.policy = policy
        self.documents = documents
        self.time = time
        self.random = random
        self.memory = MemoryAfterLoad(memory, time: time)
        self.limits = limits
        self.log = log
        machine = StreamsStateMachine(limits: limits)
        ledger = StreamLedger(limits: limits)
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        sessions.handlers.streams = self
        network.streamHandler = self
        membership.onChange { [weak self] in if $0.isOfMembers { self?.rightsChanged() } }
        apps.onChange { [weak self] _ in self?.rightsChanged() }
        policy.onChange { [weak self] in if $0.switches { self?.rightsChanged() } }
    }

    package func stop() {
        carryOut(machine.revoked(Failure(.cancelled, "the daemon is stopping")) { _, _ in true })
        alarm?.set(nil)
        memory.stop()
    }

    package var count: Int { machine.count }
    /// At the last report to the sessions.
    private var watchedCount = 0
    var rights: Int { ledger.count }

    // MARK: Actions

    private func carryOut(_ actions: [StreamAction<LinkHandle>]) {
        for action in actions {
            switch action {
            case .askDevice(let id, let pass): askDevice(id, pass)
            case .askClient(let client, let ticket, let pass): askClient(client, ticket, pass)
            case .grant(let id, let token): openings.removeValue(forKey: id)?(.success(token))
            case .fail(let id, let failure): openings.removeValue(forKey: id)?(.failure(failure))
            case .dial(let id, let device, let hello): dial(id, device, hello)
            case .join(let near, let far):
                log.debug("Stream opened", metadata: ["streams": "\(machine.count)"])
                near.link.join(far.link, within: budget)
            case .refuse(let handle, let failure):
                log.debug("Stream refused", metadata: ["code": "\(failure.code)"])
                handle.link.refuse(failure)
            case .cut(let handle, let failure):
                log.info("Stream interrupted", metadata: ["code": "\(failure.code)", "reason": "\(failure.reason)"])
                handle.link.cut(failure)
            case .confirm(let handle): handle.link.confirmEnd()
            case .tell(let client, let end): clients[client]?.send(.streams(.streamEnded(end)))
            case .tellDevice(let device, let token, let failure):
                log.debug("Stream could not be established", metadata: ["code": "\(failure.code)"])
                sessions.send(.streams(.streamLost(token, failure)), to: device)
            }
        }
        arm()
        if machine.count != watchedCount {
            watchedCount = machine.count
            sessions.watchingChanged()
        }
    }

    private func deadlineReached() {
        carryOut(machine.deadlineReached(at: time.now))
    }

    private func arm() {
        alarm?.set(machine.nextDeadline)
    }

    private func rightsChanged() {
        ledger.membersChanged { membership.member($0) != nil }
        guard machine.count > 0 else { return }
        let removed = Failure(.deviceRemoved, "the device no longer belongs to the account")
        carryOut(machine.revoked(removed) { _, pass in membership.member(pass.device) == nil })
        let forbidden = Failure(.notAllowed, "the app may no longer continue activities of its team")
        // Its opener ends a stream that ends in the daemon.
        carryOut(machine.revoked(forbidden) { $0 != .daemon && clients[$0]?.team != $1.team })
        let off = Failure(.notAllowed, "it was switched off")
        carryOut(
            machine.revoked(off) { policy.obstacle(to: $1.direction, of: clients[$0]?.bundle) != nil })
    }
}

private struct LinkHandle: Equatable {
    let link: any StreamLink

    static func == (left: Self, right: Self) -> Bool { left.link === right.link }
}

// MARK: - The receiver

extension StreamsService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Streams, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .openStream(let continuation): open(by: continuation, for: client, reply: reply)
        case .streamEnded(let end): carryOut(machine.said(end, by: client.id))
        case .streamTicket, .streamWanted, .attachStream: reply(.failure(.notForTheDaemon))
        }
    }

    func clientOpened(_ client: any Client) { clients[client.id] = client }

    func clientClosed(_ client: any Client) {
        clients[client.id] = nil
        ledger.clientClosed(client.id)
        carryOut(machine.clientClosed(client.id))
    }

    private func open(by continuation: ContinuationID, for client: any Client, reply: @escaping ClientReply) {
        if let obstacle = policy.obstacle(to: .receiving, of: client.bundle) {
            reply(.failure(Failure(.notAllowed, obstacle.reason)))
            return
        }
        switch ledger.receiver(of: continuation, for: client.id, team: client.team) {
        case .failure(let failure): reply(.failure(failure))
        case .success(let pass):
            let id = StreamID.random(using: &random)
            openings[id] = { result in
                switch result {
                case .success(let token): reply(.streams(.streamTicket(StreamTicket(stream: id, token: token))))
                case .failure(let failure): reply(.failure(failure))
                }
            }
            carryOut(machine.opened(id, by: client.id, for: pass, at: time.now))
        }
    }

    private func askDevice(_ id: StreamID, _ pass: StreamPass) {
        let question = PeerMessage.streams(.openStream(pass.activity, pass.continuation, document: pass.document))
        sessions.request(question, to: pass.device, deadline: limits.ask) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.streams(.stream(let token))): agreed(id, pass, token: token, isOrigin: false)
            case .success:
                let failure = Failure(.malformed, "the origin sent an unexpected answer")
                carryOut(machine.refused(id, failure))
            case .failure(let failure): carryOut(machine.refused(id, failure.asStreamFailure))
            }
        }
    }
}

extension StreamsService {
    /// Bytes wait until the end is joined. Calls `failed` once without a stream; the end is then not notified.
    func open(_ pass: StreamPass, failed: @escaping (Failure) -> Void) -> DaemonStreamEnd {
        let end = DaemonStreamEnd(time: time)
        end.observer = self
        let id = StreamID.random(using: &random)
        openings[id] = { if case .failure(let failure) = $0 { failed(failure) } }
        carryOut(machine.opened(id, endingIn: LinkHandle(link: end), for: pass, at: time.now))
        return end
    }
}

extension StreamsService {
    /// At the origin.
    func stateGiven(_ request: FetchRequest, to device: DeviceID, by app: any Client) {
        let pass = StreamPass(
            device: device, activity: request.activity, continuation: request.continuation, team: request.team,
            direction: .advertising)
        ledger.stateGiven(for: pass, by: app.id)
    }

    func stateDelivered(
        _ offer: Offer, from device: DeviceID, by continuation: ContinuationID, to client: any Client
    ) {
        let pass = StreamPass(
            device: device, activity: offer.activity, continuation: continuation, team: offer.team,
            direction: .receiving)
        ledger.stateDelivered(for: pass, to: client.id)
    }
}

// MARK: - The origin

extension StreamsService: PeerMessageHandler {
    func handle(_ message: PeerMessage.Streams, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        switch message {
        case .openStream(let activity, let continuation, nil): want(activity, continuation, by: device, reply: reply)
        case .openStream(let activity, let continuation, let document?):
            wantDocument(document, of: activity, by: continuation, of: device, reply: reply)
        case .streamLost(let token, let failure): carryOut(machine.lost(token, by: device, failure))
        case .stream: reply(.failure(.unknownRequest))
        }
    }

    private func want(
        _ activity: ActivityID, _ continuation: ContinuationID, by device: DeviceID,
        reply: @escaping (PeerMessage) -> Void
    ) {
        let offered = boards.ownEntry(activity).map { ($0.offer, $0.source.ofClientID) }
        switch ledger.origin(of: activity, by: continuation, of: device, offered: offered) {
        case .failure(let failure): reply(.failure(failure))
        case .success(let (client, pass)):
            guard let entry = newEntry(for: client) else { return reply(.failure(ConnectedClient.left)) }
            let id = StreamID.random(using: &random)
            openings[id] = { result in
                switch result {
                case .success(let token): reply(.streams(.stream(token)))
                case .failure(let failure): reply(.failure(failure))
                }
            }
            carryOut(machine.wanted(id, of: client, entry: entry, for: pass, at: time.now))
        }
    }

    private func wantDocument(
        _ index: UInt32, of activity: ActivityID, by continuation: ContinuationID, of device: DeviceID,
        reply: @escaping (PeerMessage) -> Void
    ) {
        switch documents.give(index, of: activity, by: continuation, to: device) {
        case .failure(let failure): reply(.failure(failure))
        case .success(let (pass, end)):
            let id = StreamID.random(using: &random)
            openings[id] = { result in
                switch result {
                case .success(let token): reply(.streams(.stream(token)))
                case .failure(let failure): reply(.failure(failure))
                }
            }
            end.observer = self
            carryOut(machine.wanted(id, endingIn: LinkHandle(link: end), for: pass))
            agreed(id, pass, token: StreamToken.random(using: &random), isOrigin: true)
        }
    }

    func sessionClosed(_ device: DeviceID) { carryOut(machine.sessionClosed(device)) }
    func isWatching(_ device: DeviceID) -> Bool { machine.isConnecting(to: device) }

    private func askClient(_ client: ClientID, _ ticket: StreamTicket, _ pass: StreamPass) {
        let wanted = StreamWanted(
            activity: pass.activity, continuation: pass.continuation, ticket: ticket,
            deviceName: membership.member(pass.device)?.name ?? DisplayText(cleaning: ""))
        clients[client]?.request(.streams(.streamWanted(wanted)), deadline: limits.agree) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.done):
                let token = StreamToken.random(using: &random)
                agreed(ticket.stream, pass, token: token, isOrigin: true)
            case .success:
                let failure = Failure(.malformed, "the origin's app sent an unexpected answer")
                carryOut(machine.refused(ticket.stream, failure))
            case .failure(let failure): carryOut(machine.refused(ticket.stream, failure.asStreamFailure))
            }
        }
    }
}

extension OfferSource<any Client> {
    fileprivate var ofClientID: OfferSource<ClientID> {
        switch self {
        case .app(let client): .app(client.id)
        case .saved(let saved): .saved(saved)
        }
    }
}

extension Failure {
    /// A version without streams does not know the request.
    fileprivate var asStreamFailure: Failure {
        code == .unimplemented ? Failure(.noStreams, "the version on the other side has no continuation streams") : self
    }
}

// MARK: - Links

extension StreamsService {
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        link.observer = self
        carryOut(machine.attached(token, by: processID, link: LinkHandle(link: link), at: time.now))
    }

    /// The session's dialling device dials.
    private func agreed(_ id: StreamID, _ pass: StreamPass, token: StreamToken, isOrigin: Bool) {
        guard let route = sessions.route(to: pass.device) else {
            carryOut(machine.refused(id, .noSession))
            return
        }
        let way: StreamWay =
            switch route {
            case .dialled: .dial
            case .accepted: .awaitDial
            }
        // The origin's app has its token from the request.
        let entry = isOrigin ? nil : machine.client(of: id).flatMap(newEntry)
        carryOut(machine.agreed(id, token: token, way: way, entry: entry, at: time.now))
    }

    private func dial(_ id: StreamID, _ device: DeviceID, _ hello: StreamHello) {
        guard case .dialled(let endpoint)? = sessions.route(to: device) else {
            carryOut(machine.dialled(id, .failure(.noSession)))
            return
        }
        network.dialStream(endpoint, expecting: device, hello: hello) { [weak self] result in
            guard let self else { return }
            let result = result.map { link in
                link.observer = self
                return LinkHandle(link: link)
            }
            carryOut(machine.dialled(id, result))
        }
    }

    private func newEntry(for client: ClientID) -> StreamEntry? {
        clients[client].map { StreamEntry(token: .random(using: &random), processID: $0.processID) }
    }
}

extension StreamsService: PeerStreamHandler {
    func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink) {
        link.observer = self
        carryOut(machine.offered(hello, by: device, link: LinkHandle(link: link), at: time.now))
    }
}

extension StreamsService: StreamLinkObserver {
    func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64) {
        carryOut(machine.bytesEnded(LinkHandle(link: link), after: byteCount, at: time.now))
    }

    func streamLinkClosed(_ link: any StreamLink, failure: Failure?) {
        if let end = link as? DaemonStreamEnd { end.failure = failure }
        memory.loadEnded()
        carryOut(machine.closed(LinkHandle(link: link), failure))
    }
}
