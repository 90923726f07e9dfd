// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// The programs on the daemon's socket: who they are, and which feature takes what they say.
///
/// Several processes of one app may be connected. Each publishes for itself; a continuation goes to the newest that
/// takes them.
package final class ClientsService: Feature {
    package static let name = "Clients"

    private let listener: any ClientListener
    private let launching: any Launching
    private let membership: any Membership
    private let time: any TimeSource
    private let deviceName: DisplayText
    private let software: DisplayText
    private let limits: ClientLimits
    private let log: Logger
    package weak var streams: (any StreamIntake)?

    /// From accept to close, in the order of their hellos or, before it, of their coming.
    private var connected: [ConnectedClient] = []
    private var handlers: [Registration] = []
    private var alarm: (any Alarm)?

    private struct Registration {
        weak var handler: (any ClientMessageHandler)?
    }

    package init(
        listener: any ClientListener, launching: any Launching, membership: any Membership, time: any TimeSource,
        deviceName: DisplayText, software: DisplayText, limits: ClientLimits = ClientLimits(), log: Logger
    ) {
        self.listener = listener
        self.launching = launching
        self.membership = membership
        self.time = time
        self.deviceName = deviceName
        self.software = software
        self.limits = limits
        self.log = log
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        listener.handler = self
        try listener.start()
    }

    package func stop() {
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

extension ClientsService: ClientMessaging {
    package var clients: [any Client] { connected.filter { $0.machine.isOpen } }

    package func register(_ handler: any ClientMessageHandler) { handlers.append(Registration(handler: handler)) }
}

extension ClientsService: ClientListenerHandler {
    package func clientAccepted(_ link: any ClientLink) {
        guard connected.count < limits.clients else {
            log.warning("client refused: too many are connected", metadata: ["clients": "\(connected.count)"])
            let failure = Failure(.limitReached, "\(limits.clients) programs are connected already")
            link.send(LocalFrame(.failure(failure)))
            link.close()
            return
        }
        connected.append(
            ConnectedClient(
                link: link, launching: launching, membership: membership, time: time, limits: limits,
                deadlineChanged: { [weak self] in self?.arm() }))
        arm()
    }

    package func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        guard let streams else { return link.refuse(Failure(.unimplemented, "no streams here")) }
        streams.streamAttached(token, by: processID, on: link)
    }

    package func frameReceived(_ frame: LocalFrame, on link: any ClientLink) {
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

    package func clientClosed(_ link: any ClientLink, failure: Failure?) {
        guard let index = connected.firstIndex(where: { $0.link === link }) else { return }
        if let failure {
            log.info("client lost", metadata: ["pid": "\(link.processID)", "code": "\(failure.code)"])
        }
        end(connected.remove(at: index))
        arm()
    }

    private func identify(_ client: ConnectedClient, _ hello: LocalHello, version: UInt32, request: UInt64) {
        let token = hello.role == .app ? hello.launchToken : nil
        let redeemed = token.flatMap(launching.redeem)
        let owner = client.link.program.map(launching.owner) ?? .nobody
        let identity = ClientIdentity.of(hello, redeemed: redeemed, owner: owner) { launching.app($0) != nil }
        let bundle: BundleID?
        switch identity {
        case .app(let found): bundle = found
        case .control, .browser, .unregistered: bundle = nil
        case .refused(let failure):
            refuse(client, failure, request: request)
            return
        }
        client.admit(hello, as: bundle, by: redeemed == nil ? nil : token)
        connected.removeAll { $0 === client }
        connected.append(client)
        log.debug(
            "client connected",
            metadata: [
                "pid": "\(client.link.processID)", "role": "\(hello.role)", "bundle": "\(bundle?.name ?? "none")",
            ])
        let welcome = Welcome(
            version: version, deviceName: membership.member(membership.device)?.name ?? deviceName,
            isRegistered: bundle != nil, software: software)
        client.link.send(LocalFrame(.welcome(welcome), answer: request))
        for registration in handlers { registration.handler?.clientOpened(client) }
    }

    private func handle(_ message: LocalMessage, request: UInt64, from client: ConnectedClient) {
        let reply: ClientReply = { [weak client] in client?.answer($0, to: request) }
        for registration in handlers where registration.handler?.handle(message, from: client, reply: reply) ?? false {
            return
        }
        log.debug("message that no feature takes", metadata: ["pid": "\(client.link.processID)"])
        // A newer program's notice is passed over.
        guard request != 0 else { return }
        reply(.failure(Failure(.unimplemented, "this daemon does not know that message")))
    }

    private func refuse(_ client: ConnectedClient, _ failure: Failure, request: UInt64) {
        // The reason may repeat what the client said of itself, so the log has the code alone.
        log.notice("client refused", metadata: ["pid": "\(client.link.processID)", "code": "\(failure.code)"])
        client.link.send(LocalFrame(.failure(failure), answer: request))
        connected.removeAll { $0 === client }
        end(client)
        client.link.close()
    }

    /// It is not among the connected any more.
    private func end(_ client: ConnectedClient) {
        for waiter in client.machine.closed() { waiter(.failure(ConnectedClient.left)) }
        // It got its role when it was admitted; of others the features never heard.
        guard client.role != .unspecified else { return }
        for registration in handlers { registration.handler?.clientClosed(client) }
    }
}
