// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffHost
import HandoffNet
import HandoffWire
import Logging
import NIOCore
import ServiceLifecycle

/// Puts real hands and features together on one event loop, and runs them until a signal. Wiring, and nothing else.
final class Daemon {
    static let software = DisplayText(cleaning: "handoff 0.1.0", limit: Limits.nameCharacters)

    /// In the order of their starts: who takes messages is there before who brings them.
    private let features: [any Feature]
    private let network: TLSPeerNetwork

    /// Returns after SIGTERM or SIGINT, when all is stopped. Throws why it could not start.
    static func run(
        _ settings: Settings, in surroundings: Surroundings, on loop: any EventLoop, log: Logger
    ) async throws {
        // Held to the end of this function, and released by the kernel whatever happens.
        let lock = try DaemonLock(path: surroundings.locations.lock)
        defer { withExtendedLifetime(lock) {} }
        let services = try await loop.submit {
            try Daemon(settings, in: surroundings, on: loop, log: log).services(on: loop, log: log)
        }.get()
        // Signals are trapped by ourselves: the group would do it by Dispatch.
        var configuration = ServiceGroupConfiguration(services: services, logger: log)
        // Enough for goodbyes; a hand that hangs must not keep the user from logging out.
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        try StopSignals.trap(on: loop) {
            Task(executorPreference: LoopExecutor(loop: loop)) { await group.triggerGracefulShutdown() }
        }
        try await group.run()
        log.info("stopped")
    }

    private init(_ settings: Settings, in surroundings: Surroundings, on loop: any EventLoop, log: Logger) throws {
        let locations = surroundings.locations
        var random = Randomness.system
        let time = EventLoopTime(loop: loop)
        let boot = BootID(startedAt: time.wallTime, random: random.next())

        let store = try DirectoryStateStore(directory: locations.state)
        let credentials = try DeviceCredentials.loadOrCreate(store: store)
        let network = try TLSPeerNetwork(
            key: credentials.key, certificate: credentials.certificate, listen: settings.listen, loop: loop, log: log)
        let air = MulticastBeaconAir(loop: loop, withLoopback: settings.loopback, log: log)
        let listener = UnixClientListener(path: locations.socket, loop: loop, log: log)
        let catalog = BundleCatalog(directory: locations.apps, installs: locations.installs, log: log)
        let launcher = ProcessLauncher(
            locations: locations, environment: surroundings.environment, log: log, onLoop: { loop.execute($0) })

        let rules = AdministratorPolicyFile(log: log, onLoop: { loop.execute($0) })

        let policy = PolicyService(store: store, rules: rules, time: time, log: log)
        let identity = try IdentityService(
            credentials: credentials, store: store, network: network, time: time, name: settings.name,
            kind: settings.kind, log: log)
        let teams = try TeamsService(catalog: catalog, store: store, time: time, log: log)
        let sessions = SessionsService(
            network: network, membership: identity, enrollment: identity, time: time, boot: boot,
            software: Self.software, log: log)
        let launching = LaunchingService(
            catalog: catalog, launcher: launcher, membership: identity, teams: teams, policy: policy, store: store,
            time: time, random: random, log: log)
        let webLinks = WebLinksService(
            launching: launching, sites: SiteFetcher(loop: loop), store: store, time: time, random: random,
            policy: policy, isForDevelopment: settings.webDeveloper, roots: TrustedRoots.certificates, log: log)
        let choices = WebChoicesService(launching: launching, store: store, log: log)
        let clients = ClientsService(
            listener: listener, launching: launching, membership: identity, time: time, deviceName: settings.name,
            software: Self.software, log: log)
        let advertising = AdvertisingService(
            clients: clients, sessions: sessions, launching: launching, membership: identity, policy: policy,
            time: time, limits: settings.boardLimits, log: log)
        let continuation = ContinuationService(
            boards: advertising, clients: clients, sessions: sessions, launching: launching, membership: identity,
            time: time, random: random, log: log)
        let streams = StreamsService(
            boards: advertising, clients: clients, sessions: sessions, network: network, launching: launching,
            membership: identity, policy: policy, time: time, random: random, log: log)
        let discovery = DiscoveryService(
            air: air, network: network, membership: identity, sessions: sessions, store: store, time: time,
            random: random, boot: boot, settings: DiscoverySettings(peers: settings.peers, beacons: settings.beacons),
            log: log)
        let status = StatusService(
            network: network, membership: identity, sessions: sessions, boards: advertising, launching: launching,
            teams: teams, clients: clients, policy: policy, time: time, deviceName: settings.name,
            software: Self.software.text, processID: Surroundings.processID, warnings: { catalog.problems })

        identity.peers = sessions
        launching.choices = choices
        launching.approval = webLinks
        continuation.streams = streams
        clients.streams = streams
        sessions.streams = streams
        identity.onNewCredentials = { [weak network] credentials in
            do {
                try network?.identify(key: credentials.key, certificate: credentials.certificate)
            } catch {
                log.critical("the new key cannot be used before a restart", metadata: ["reason": "\(error)"])
            }
        }
        identity.localHosts = { LocalHosts.all(withLoopback: settings.loopback) }
        clients.register(identity)
        clients.register(teams)
        clients.register(launching)
        clients.register(webLinks)
        clients.register(policy)
        clients.register(choices)

        self.network = network
        features = [
            policy, identity, teams, choices, launching, webLinks, advertising, continuation, status, clients, sessions,
            discovery,
            // Last, so that streams are cut, and by no closing hand taken for ended.
            streams,
        ]
    }

    // MARK: Services

    /// A service group starts its members side by side; here each waits for the one before it.
    private func services(on loop: any EventLoop, log: Logger) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        var previous = loop.makeSucceededVoidFuture()
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        for (index, feature) in features.enumerated() {
            let started = loop.makePromise(of: Void.self)
            let bound = NIOLoopBound(feature, eventLoop: loop)
            let before = previous
            let isLast = index == features.count - 1
            let address = isLast ? NIOLoopBound(network, eventLoop: loop) : nil
            let service = FeatureService(
                name: type(of: feature).name,
                start: {
                    before.flatMapThrowing {
                        try bound.value.start()
                        guard let address = address?.value.listeningAddress else { return }
                        log.info("ready", metadata: ["listening": "\(address)", "version": "\(Self.software.text)"])
                    }.cascade(to: started)
                    try await started.futureResult.get()
                },
                stop: { try? await loop.submit { bound.value.stop() }.get() })
            services.append(.init(service: service, serviceName: service.name))
            previous = started.futureResult
        }
        return services
    }
}
