// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Logging

@testable import HandoffDaemon

/// Devices that only create accounts, invite and join, over the in-memory network.
final class JoiningSimulation {
    let time = VirtualTime()
    let network: MemoryNetwork

    init(seed: UInt64 = 1) { network = MemoryNetwork(time: time, seed: seed) }

    func device(_ name: String, number: UInt8) throws -> JoiningDevice {
        try JoiningDevice(name, key: DeviceKey(scalar: [UInt8](repeating: number, count: 32)), simulation: self)
    }

    /// One second: enough for everything without a deadline.
    func settle() { time.advance(by: .seconds(1)) }
}

/// One daemon's identity, which only receives joining connections.
final class JoiningDevice {
    let name: String
    let key: DeviceKey
    let simulation: JoiningSimulation
    let store: MemoryStateStore
    private(set) var node: MemoryNode
    private(set) var identity: IdentityService
    private(set) var sessions: StandInSessions
    private var account: AccountService
    private let client = SomeClient()

    private(set) var changes: [MembershipChange] = []
    private(set) var searches = 0
    private(set) var learned: [DeviceID: NetworkAddress] = [:]
    private(set) var announced: [[UInt8]] = []

    init(_ name: String, key: DeviceKey, simulation: JoiningSimulation, store: MemoryStateStore = MemoryStateStore())
        throws
    {
        self.name = name
        self.key = key
        self.simulation = simulation
        self.store = store
        node = simulation.network.node(name, device: key.id, key: key.publicKey.spki)
        identity = try Self.service(name, key, node, store, simulation)
        sessions = StandInSessions(device: identity.device, time: simulation.time)
        account = Self.account(identity, sessions, store, simulation)
        try begin()
    }

    private static func service(
        _ name: String, _ key: DeviceKey, _ node: MemoryNode, _ store: MemoryStateStore, _ simulation: JoiningSimulation
    ) throws -> IdentityService {
        if store.files[DeviceCredentials.fileName] == nil { _ = try DeviceCredentials.create(key: key, store: store) }
        return try IdentityService(
            credentials: .loadOrCreate(store: store), store: store, network: node.network, time: simulation.time,
            name: DisplayText(cleaning: name), kind: .laptop,
            canAnnounce: true, log: Logger(label: name) { _ in SwiftLogNoOpLogHandler() })
    }

    private static func account(
        _ identity: IdentityService, _ sessions: StandInSessions, _ store: MemoryStateStore,
        _ simulation: JoiningSimulation
    ) -> AccountService {
        AccountService(
            identity: identity, sessions: sessions, store: store, time: simulation.time, localHosts: { [] },
            become: { _ in }, log: Logger(label: "account") { _ in SwiftLogNoOpLogHandler() })
    }

    private func begin() throws {
        try node.network.start()
        try identity.start()
        try account.start()
        identity.onChange { [unowned self] in changes.append($0) }
        identity.onSearch { [unowned self] search in
            switch search {
            case .changed: searches += 1
            case .joined(let device, let address): learned[device] = address
            case .announce(let datagram): announced.append(datagram)
            }
        }
    }

    /// Crashes and restarts with its disk.
    func restart() throws {
        simulation.network.crash(name)
        node = simulation.network.node(name, device: key.id, key: key.publicKey.spki)
        identity = try Self.service(name, key, node, store, simulation)
        sessions = StandInSessions(device: identity.device, time: simulation.time)
        account = Self.account(identity, sessions, store, simulation)
        try begin()
    }

    /// Stops in order and restarts.
    func stopAndStart() throws {
        account.stop()
        try restart()
    }

    var id: DeviceID { key.id }
    var address: NetworkAddress { node.address }
    var memberNames: Set<String> { Set(identity.members.map(\.name.text)) }

    /// All answers to a request, including later ones.
    func ask(_ message: LocalMessage.Identity) -> Answers {
        let answers = Answers()
        account.handle(message, from: client) { answers.all.append($0) }
        return answers
    }

    func invite(asking: Bool = false) -> (code: String, answers: Answers) {
        let answers = ask(.createInvite(asking: asking))
        guard case .identity(.invite(let offer))? = answers.all.first else { return ("", answers) }
        return (offer.code, answers)
    }

    /// The command exits.
    func clientGoes() { account.clientClosed(client) }

    /// As its user shows it to new devices.
    func announce() -> Answers { ask(.createInvite(asking: true, announced: true)) }

    /// Chooses the device from the list.
    func choose(_ device: JoiningDevice) -> Answers {
        for datagram in device.announced { identity.announcementReceived(datagram, from: device.address.host) }
        let code = identity.nearby.invites.first?.code ?? ""
        return ask(.joinAccount(code: code, address: device.address.description, nearby: true))
    }

    func join(_ code: String, at device: JoiningDevice) -> Answers {
        ask(.joinAccount(code: code, address: device.address.description))
    }

    func makeBeacon() -> Beacon {
        Beacon(device: id, port: node.port, boot: BootID(1), time: simulation.time.wallTime, isAnswer: false)
    }
}

final class Answers {
    var all: [LocalMessage] = []
    var asked: [JoinRequestSummary] {
        all.compactMap { if case .identity(.joinAsked(let request)) = $0 { request } else { nil } }
    }
    var number: String? {
        all.lazy.compactMap { if case .identity(.joinNumber(let number)) = $0 { number } else { nil } }.last
    }
    var failure: Failure? {
        if case .failure(let failure)? = all.last { failure } else { nil }
    }
    var account: AccountSummary? {
        if case .identity(.account(let account))? = all.last { account } else { nil }
    }
    var devices: [[DeviceSummary]] {
        all.compactMap { if case .identity(.deviceList(let devices)) = $0 { devices } else { nil } }
    }
    var inviteUsed: Result<DeviceSummary, Failure>? {
        if case .identity(.inviteUsed(let result))? = all.last { result } else { nil }
    }
}

private final class SomeClient: Client {
    let id = ClientID(1)
    let audience = Audience.control
    let bundle: BundleID? = nil
    let name = DisplayText(cleaning: "handoff")
    let team: Team? = nil
    let receives = false
    let launchToken: LaunchToken? = nil
    let processID: Int32 = 1
    let isBehind = false
    func send(_ message: LocalMessage) {}
    func request(
        _ message: LocalMessage, deadline: Duration, completion: @escaping (Result<LocalMessage, Failure>) -> Void
    ) {}
}
