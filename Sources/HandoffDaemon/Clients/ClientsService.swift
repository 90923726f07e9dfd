// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Each process of an app publishes independently; a continuation goes to the newest that accepts them.
final class ClientsService: Feature {
    private let listener: any ClientListener
    private let apps: AppsService
    private let launching: LaunchingService
    private let membership: any Membership
    private let time: any TimeSource
    private let deviceName: DisplayText
    private let software: Software
    private let limits: ClientLimits
    private let log: Logger
    private let handlers: ClientHandlers
    private let streams: StreamsService
    private let work: any Work
    private let isBusDoor: @Sendable (RunningProgram) -> Bool

    var clients: [any Client] { connected.filter { $0.machine.isOpen } }

    private static let refusalsLogged = 8

    /// By their hellos or, before, by their connections.
    private var connected: [ConnectedClient] = []
    private var lastNumber: UInt64 = 0
    private var alarm: (any Alarm)?

    /// `isBusDoor`: that program may act for others; `work` calls it.
    init(
        listener: any ClientListener, apps: AppsService, launching: LaunchingService, membership: any Membership,
        handlers: ClientHandlers, streams: StreamsService, work: any Work, time: any TimeSource,
        deviceName: DisplayText, software: Software, limits: ClientLimits = ClientLimits(),
        isBusDoor: @escaping @Sendable (RunningProgram) -> Bool = { _ in false }, log: Logger
    ) {
        self.listener = listener
        self.apps = apps
        self.launching = launching
        self.membership = membership
        self.handlers = handlers
        self.streams = streams
        self.work = work
        self.time = time
        self.deviceName = deviceName
        self.software = software
        self.limits = limits
        self.isBusDoor = isBusDoor
        self.log = log
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        listener.handler = self
        try listener.start()
        apps.whenReadOrLate { [listener] in listener.accept() }
    }

    func stop() {
        listener.stop()
        alarm?.set(nil)
    }

    private func deadlineReached() {
        for client in connected {
            switch client.machine.deadlineReached(now: time.now) {
            case .refuse(let failure): refuse(client, failure, request: 0)
            case .giveUp(let waiters):
                for waiter in waiters { waiter(.failure(Failure(.appTimedOut, "the app did not answer in time"))) }
            }
        }
        arm()
    }

    private func arm() {
        alarm?.set(connected.lazy.compactMap { $0.machine.nextDeadline }.min())
    }
}

extension ClientsService: ClientListenerHandler {
    func clientAccepted(_ link: any ClientLink) {
        guard connected.count < limits.clients else {
            log.warning("Client refused: too many are connected", metadata: ["clients": "\(connected.count)"])
            let failure = Failure(.limitReached, "\(limits.clients) programs are already connected")
            link.send(LocalFrame(.failure(failure)))
            link.close()
            return
        }
        lastNumber += 1
        connected.append(
            ConnectedClient(
                id: ClientID(lastNumber), link: link, apps: apps, membership: membership, time: time, limits: limits,
                deadlineChanged: { [weak self] in self?.arm() }))
        arm()
    }

    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        streams.streamAttached(token, by: processID, on: link)
    }

    func frameReceived(_ frame: LocalFrame, on link: any ClientLink) {
        guard let client = connected.first(where: { $0.link === link }) else { return }
        switch client.machine.frameReceived(frame) {
        case .identify(let hello, let version, let request):
            identify(client, hello, version: version, request: request)
        case .handle(let message, let request): handle(message, request: request, from: client)
        case .complete(let waiter, .failure(let failure)): waiter(.failure(failure))
        case .complete(let waiter, let message): waiter(.success(message))
        case .refuse(let failure, let request): refuse(client, failure, request: request)
        case .ignore: break
        }
        arm()
    }

    func clientCaughtUp(_ link: any ClientLink) {
        guard let client = connected.first(where: { $0.link === link }), client.isAdmitted else { return }
        for handler in handlers.all { handler.clientCaughtUp(client) }
    }

    func clientClosed(_ link: any ClientLink, failure: Failure?) {
        guard let index = connected.firstIndex(where: { $0.link === link }) else { return }
        if let failure {
            log.info("Client lost", metadata: ["pid": "\(link.processID)", "code": "\(failure.code)"])
        }
        end(connected.remove(at: index))
        arm()
    }

    /// May read files, so it runs off the loop.
    private func identify(_ client: ConnectedClient, _ hello: LocalHello, version: UInt32, request: UInt64) {
        guard hello.caller != nil else { return findOwner(client, hello, version: version, request: request) }
        guard let program = client.link.program else { return refuse(client, .speaksForOthers, request: request) }
        do throws(Failure) {
            try work.makeLane().run({ [isBusDoor] in isBusDoor(program) }) { [weak self, weak client] isBusDoor in
                guard let self, let client, connected.contains(where: { $0 === client }) else { return }
                if isBusDoor {
                    findOwner(client, hello, version: version, request: request)
                } else {
                    refuse(client, .speaksForOthers, request: request)
                }
                arm()
            }
        } catch {
            refuse(client, error, request: request)
        }
    }

    private func findOwner(_ client: ConnectedClient, _ hello: LocalHello, version: UInt32, request: UInt64) {
        let token = hello.role == .app ? hello.launchToken : nil
        let redeemed = token.flatMap(launching.redeem)
        // An executable identifies only apps; never that of handoff-bus.
        let program =
            if let caller = hello.caller { caller.file.map(RunningProgram.init) } else { client.link.program }
        guard hello.role == .app, redeemed == nil, let program else {
            return identified(client, hello, .nobody, by: redeemed, version: version, request: request)
        }
        apps.owner(of: program) { [weak self, weak client] owner in
            guard let self, let client, connected.contains(where: { $0 === client }) else { return }
            switch owner {
            case .success(let owner): identified(client, hello, owner, by: nil, version: version, request: request)
            case .failure(let failure): refuse(client, failure, request: request)
            }
            arm()
        }
    }

    private func identified(
        _ client: ConnectedClient, _ hello: LocalHello, _ owner: ProgramOwner, by redeemed: BundleID?, version: UInt32,
        request: UInt64
    ) {
        let identity = ClientIdentity.of(hello, redeemed: redeemed, owner: owner, installed: apps.app)
        let audience: Audience
        var bundle: BundleID?
        switch identity {
        case .control: audience = .control
        case .browser: audience = .browser
        case .busProgram: audience = .busProgram
        case .unregistered: audience = .script
        case .app(let found): (audience, bundle) = (.app, found)
        case .refused(let failure):
            refuse(client, failure, request: request)
            return
        }
        let token = redeemed == nil || redeemed != bundle ? nil : hello.launchToken
        let held = client.admit(hello, as: audience, of: bundle, by: token)
        connected.removeAll { $0 === client }
        connected.append(client)
        log.debug(
            "Client connected",
            metadata: [
                "pid": "\(client.link.processID)", "role": "\(audience.rawValue)",
                "bundle": "\(bundle?.name ?? "none")",
            ])
        let welcome = Welcome(
            version: version, deviceName: membership.member(membership.device)?.name ?? deviceName,
            isRegistered: bundle != nil, software: software.name,
            places: audience == .control ? software.places : nil)
        client.link.send(LocalFrame(.welcome(welcome), answer: request))
        for handler in handlers.all { handler.clientOpened(client) }
        for frame in held { frameReceived(frame, on: client.link) }
    }

    private func handle(_ message: LocalMessage, request: UInt64, from client: ConnectedClient) {
        let reply: ClientReply = { [weak client] in client?.answer($0, to: request) }
        if let refusal = message.refusal(to: client.audience) {
            client.refusals += 1
            if client.refusals <= Self.refusalsLogged {
                log.info(
                    "Message not allowed",
                    metadata: ["pid": "\(client.link.processID)", "role": "\(client.audience.rawValue)"])
            }
            reply(.failure(refusal))
            return
        }
        if case .unreadable(_, let failure) = message { return reply(.failure(failure)) }
        if handlers.pass(message, from: client, reply: reply) { return }
        log.debug("Unknown message from a client", metadata: ["pid": "\(client.link.processID)"])
        // From a newer program, without a request number.
        guard request != 0 else { return }
        reply(.failure(Failure(.unimplemented, "this daemon does not know that message")))
    }

    private func refuse(_ client: ConnectedClient, _ failure: Failure, request: UInt64) {
        // The reason may repeat the client's text, so only the code is logged.
        log.notice("Client refused", metadata: ["pid": "\(client.link.processID)", "code": "\(failure.code)"])
        client.link.send(LocalFrame(.failure(failure), answer: request))
        connected.removeAll { $0 === client }
        end(client)
        client.link.close()
    }

    private func end(_ client: ConnectedClient) {
        for waiter in client.machine.closed() { waiter(.failure(ConnectedClient.left)) }
        guard client.isAdmitted else { return }
        for handler in handlers.all { handler.clientClosed(client) }
    }
}

extension RunningProgram {
    fileprivate init(_ file: BusCaller.File) {
        self.init(path: file.path, device: file.device, inode: file.inode)
    }
}

extension Failure {
    fileprivate static let speaksForOthers = Failure(
        .notAllowed, "only the program handoff-bus of this daemon speaks for other programs")
}
