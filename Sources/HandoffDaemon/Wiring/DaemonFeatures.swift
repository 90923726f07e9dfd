// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffWire
package import Logging

/// Every feature of a daemon, put together in one way and one order for the door and for tests alike: hands, settings and
/// randomness in, features out. Wiring, and nothing else.
package final class DaemonFeatures {
    package let identity: IdentityService
    package let sessions: SessionsService
    package let device: DeviceFeatures
    /// In the order of their starts.
    package let features: [any Feature]

    package init(
        _ hands: Hands, credentials: DeviceCredentials, settings: Settings, software: Software,
        random: inout Randomness, log: Logger
    ) throws {
        let (store, time) = (hands.store, hands.time)
        let boot = BootID(startedAt: time.wallTime, random: random.next())
        let discoveryRandom = random.fork()

        identity = try IdentityService(
            credentials: credentials, store: store, network: hands.network, time: time, name: settings.name,
            kind: settings.kind, log: log)
        let teams = try TeamsService(catalog: hands.catalog, store: store, time: time, log: log)
        sessions = SessionsService(
            network: hands.network, membership: identity, roster: identity, time: time, boot: boot,
            software: software.name, log: log)
        let account = AccountService(
            identity: identity, sessions: sessions, store: store, time: time, localHosts: hands.localHosts,
            become: hands.become, log: log)
        var handlers = ClientHandlers()
        handlers.identity = account
        handlers.teams = teams
        device = DeviceFeatures(
            hands, membership: identity, sessions: sessions, teams: teams, handlers: handlers,
            settings: settings, software: software, random: &random, log: log)
        let discovery = DiscoveryService(
            air: hands.air, network: hands.network, membership: identity, beacons: identity, sessions: sessions,
            store: store, time: time, random: discoveryRandom, boot: boot,
            settings: DiscoverySettings(peers: settings.peers, beacons: settings.beacons), log: log)
        let work = WorkService(work: [hands.work, hands.documents.work], store: store, log: log)
        features = [work, identity, teams, account] + device.features + [sessions, discovery]
    }

    package func start() throws {
        for feature in features { try feature.start() }
    }

    /// In good order, with a word to the other devices.
    package func stop() {
        for feature in features.reversed() { feature.stop() }
    }
}
