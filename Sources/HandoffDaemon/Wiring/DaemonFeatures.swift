// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
import HandoffWire
package import Logging

/// Wired in the same order for the executable and for tests.
package final class DaemonFeatures {
    package let identity: IdentityService
    package let sessions: SessionsService
    package let device: DeviceFeatures
    package let features: [any Feature]
    private let discovery: DiscoveryService
    private let sleep: SleepService

    package init(
        _ adapters: Adapters, credentials: DeviceCredentials, settings: Settings, software: Software,
        random: inout Randomness, log: Logger
    ) throws {
        let (store, time) = (adapters.store, adapters.time)
        let boot = BootID(startedAt: time.wallTime, random: random.next())
        let discoveryRandom = random.fork()

        identity = try IdentityService(
            credentials: credentials, store: store, network: adapters.network, time: time, name: settings.name,
            kind: settings.kind, canAnnounce: settings.beacons, log: log)
        let teams = try TeamsService(catalog: adapters.catalog, store: store, time: time, log: log)
        sessions = SessionsService(
            network: adapters.network, membership: identity, roster: identity, time: time, boot: boot,
            software: software.name, log: log)
        let account = AccountService(
            identity: identity, sessions: sessions, store: store, time: time, localHosts: adapters.localHosts,
            become: adapters.become, log: log)
        var handlers = ClientHandlers()
        handlers.identity = account
        handlers.teams = teams
        device = DeviceFeatures(
            adapters, membership: identity, sessions: sessions, teams: teams, handlers: handlers,
            settings: settings, software: software, random: &random, log: log)
        let discovery = DiscoveryService(
            air: adapters.air, network: adapters.network, membership: identity, beacons: identity, sessions: sessions,
            store: store, time: time, random: discoveryRandom, boot: boot,
            settings: DiscoverySettings(peers: settings.peers, beacons: settings.beacons),
            beaconSwitch: adapters.beaconSwitch, log: log)
        account.lastAddress = { [weak discovery] in discovery?.lastAddress(of: $0) }
        sleep = SleepService(
            advertising: device.advertising, sessions: sessions, discovery: discovery, time: time, log: log)
        device.presence.sleep = sleep
        self.discovery = discovery
        let work = WorkService(work: [adapters.work, adapters.documents.work], store: store, log: log)
        features = [work, identity, teams, account] + device.features + [sessions, discovery, sleep]
    }

    package func clockChanged() {
        sleep.wake()
        discovery.clockChanged()
    }

    /// If a feature does not start, stops those that did.
    package func start() throws {
        for (index, feature) in features.enumerated() {
            do {
                try feature.start()
            } catch {
                for started in features[..<index].reversed() { started.stop() }
                throw error
            }
        }
    }

    /// In reverse order; notifies the other devices.
    package func stop() {
        for feature in features.reversed() { feature.stop() }
    }
}

/// Synchronous, used only on the daemon's event loop. Owns a state machine and carries out its actions through ports.
package protocol Feature: AnyObject {
    /// Called once, in dependency order.
    func start() throws
    /// Called once, in reverse order.
    func stop()
}
