// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffDaemon
internal import HandoffTrust
internal import HandoffWire
internal import Logging

/// One run of a device's daemon: every feature as the door puts them together, on twins.
final class TownDaemon {
    let identity: IdentityService
    let sessions: SessionsService
    private let features: [any Feature]

    init(device: TownDevice, life: Lifetime, town: Town) throws {
        let log = Logger(label: "town") { _ in SwiftLogNoOpLogHandler() }
        let boot = BootID(town.random.next())
        let software = DisplayText(cleaning: "town")
        let name = DisplayText(cleaning: device.name)
        func random() -> Randomness { .seeded(town.random.next()) }

        let credentials = try DeviceCredentials.loadOrCreate(store: life)
        let node = town.network.node(device.host, device: credentials.device, key: credentials.key.publicKey.spki)
        let network = node.network
        identity = try IdentityService(
            credentials: credentials, store: life, network: network, time: life, name: name, kind: .laptop,
            log: log)
        sessions = SessionsService(
            network: network, membership: identity, enrollment: identity, time: life, boot: boot, software: software,
            log: log)
        identity.peers = sessions
        let discovery = DiscoveryService(
            air: node.air, network: network, membership: identity, sessions: sessions, store: life, time: life,
            random: random(), boot: boot, settings: DiscoverySettings(), log: log)
        let launching = LaunchingService(
            catalog: device.catalog, launcher: device.launcher, membership: identity, store: life, time: life,
            random: random(), log: log)
        let clients = ClientsService(
            listener: device.listener, launching: launching, membership: identity, time: life, deviceName: name,
            software: software, log: log)
        let advertising = AdvertisingService(
            clients: clients, sessions: sessions, launching: launching, membership: identity, time: life, log: log)
        let continuation = ContinuationService(
            boards: advertising, clients: clients, sessions: sessions, launching: launching, membership: identity,
            time: life, random: random(), log: log)
        clients.register(launching)
        clients.register(identity)
        features = [identity, sessions, discovery, launching, advertising, continuation, clients]
    }

    func start() throws {
        for feature in features { try feature.start() }
    }
}
