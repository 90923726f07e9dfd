// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffDaemon
internal import HandoffTrust
internal import HandoffWire
internal import Logging

/// One run of a daemon: every feature as the door puts them together, on whichever hands the test gives it.
package final class WholeDaemon {
    /// What a daemon reaches the outside by. All of it is called on one thread.
    package struct Hands {
        package let network: any PeerNetwork
        package let air: any BeaconAir
        package let listener: any ClientListener
        package let catalog: any AppCatalog
        package let launcher: any AppLauncher
        package let sites: any SiteFetching
        package let store: any StateStore
        package let time: any TimeSource
        /// In place of what sites say; nil: what they say.
        package let approval: (any WebApproval)?

        package init(
            network: any PeerNetwork, air: any BeaconAir, listener: any ClientListener, catalog: any AppCatalog,
            launcher: any AppLauncher, sites: any SiteFetching, store: any StateStore, time: any TimeSource,
            approval: (any WebApproval)? = nil
        ) {
            self.network = network
            self.air = air
            self.listener = listener
            self.catalog = catalog
            self.launcher = launcher
            self.sites = sites
            self.store = store
            self.time = time
            self.approval = approval
        }
    }

    package let identity: IdentityService
    package let sessions: SessionsService
    package let streams: StreamsService
    private let features: [any Feature]

    package init(
        _ hands: Hands, credentials: DeviceCredentials, name: String, discovery settings: DiscoverySettings = .init(),
        board: BoardLimits = .init(), random: inout Randomness
    ) throws {
        let log = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        let boot = BootID(startedAt: hands.time.wallTime, random: random.next())
        let software = DisplayText(cleaning: "whole daemon")
        let name = DisplayText(cleaning: name)

        identity = try IdentityService(
            credentials: credentials, store: hands.store, network: hands.network, time: hands.time, name: name,
            kind: .laptop, log: log)
        sessions = SessionsService(
            network: hands.network, membership: identity, enrollment: identity, time: hands.time, boot: boot,
            software: software, log: log)
        identity.peers = sessions
        let discovery = DiscoveryService(
            air: hands.air, network: hands.network, membership: identity, sessions: sessions, store: hands.store,
            time: hands.time, random: .seeded(random.next()), boot: boot, settings: settings, log: log)
        let policy = PolicyService(
            store: hands.store, rules: MemoryAdministratorRules(), time: hands.time, log: log)
        let teams = try TeamsService(catalog: hands.catalog, store: hands.store, time: hands.time, log: log)
        let launching = LaunchingService(
            catalog: hands.catalog, launcher: hands.launcher, membership: identity, teams: teams, policy: policy,
            store: hands.store, time: hands.time, random: .seeded(random.next()), log: log)
        let webLinks = WebLinksService(
            launching: launching, sites: hands.sites, store: hands.store, time: hands.time,
            // Of a seed of its own, so that the seeds of the town go on telling what they told.
            random: .seeded(1), policy: policy, isForDevelopment: false, roots: { [] }, log: log)
        let choices = WebChoicesService(launching: launching, store: hands.store, log: log)
        launching.choices = choices
        launching.approval = hands.approval ?? webLinks
        let clients = ClientsService(
            listener: hands.listener, launching: launching, membership: identity, time: hands.time, deviceName: name,
            software: software, log: log)
        let advertising = AdvertisingService(
            clients: clients, sessions: sessions, launching: launching, membership: identity, policy: policy,
            time: hands.time, limits: board, log: log)
        let continuation = ContinuationService(
            boards: advertising, clients: clients, sessions: sessions, launching: launching, membership: identity,
            time: hands.time, random: .seeded(random.next()), log: log)
        let streams = StreamsService(
            boards: advertising, clients: clients, sessions: sessions, network: hands.network, launching: launching,
            membership: identity, policy: policy, time: hands.time, random: .seeded(random.next()), log: log)
        continuation.streams = streams
        clients.streams = streams
        sessions.streams = streams
        self.streams = streams
        clients.register(teams)
        clients.register(launching)
        clients.register(webLinks)
        clients.register(identity)
        clients.register(policy)
        clients.register(choices)
        features = [
            policy, identity, teams, sessions, discovery, choices, launching, webLinks, advertising, continuation,
            clients, streams,
        ]
    }

    package func start() throws {
        for feature in features { try feature.start() }
    }

    /// In good order, with a word to the other devices.
    package func stop() {
        for feature in features.reversed() { feature.stop() }
    }
}
