// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Logging

@testable import HandoffDaemon

/// Devices of one account on one network, each with only its sessions and its discovery.
final class Neighbourhood {
    let time = VirtualTime()
    let hub: MemoryNetwork
    private(set) var houses: [House] = []
    private var boots: UInt64 = 0
    private let account = AccountID(uncheckedBytes: Array(repeating: 7, count: 32))

    init(seed: UInt64 = 1) { hub = MemoryNetwork(time: time, seed: seed) }

    /// Devices 1, 2, 3 … in the order of their IDs.
    static func device(_ number: UInt8) -> DeviceID {
        DeviceID(uncheckedBytes: [number] + Array(repeating: 0, count: 31))
    }

    static func host(_ number: UInt8) -> String { "10.0.0.\(number)" }

    /// Makes a device that knows the others as members; it is not running yet.
    func house(
        _ number: UInt8, knowing members: [UInt8], peers: [NetworkAddress] = [],
        versions: ClosedRange<UInt32> = ProtocolVersion.peer
    ) -> House {
        let house = House(number: number, hood: self, peers: peers, versions: versions)
        house.membership.join(account, with: ([number] + members).map(Self.device))
        houses.append(house)
        return house
    }

    fileprivate func nextBoot() -> BootID {
        boots += 1
        return BootID(boots)
    }

    /// Runs until all of these are connected with each other; false if that takes longer than `limit`.
    func meet(_ houses: House..., within limit: Duration) -> Bool {
        time.run(
            until: { houses.allSatisfy { one in houses.allSatisfy { $0 === one || one.isConnected(to: $0) } } },
            within: limit)
    }
}

/// One device. Its disk and its membership survive a crash, its services do not.
final class House {
    let number: UInt8
    let membership: MemoryMembership
    let store = MemoryStateStore()
    private unowned let hood: Neighbourhood
    private var peers: [NetworkAddress]
    private let versions: ClosedRange<UInt32>
    private(set) var host: String
    private(set) var node: MemoryNode!
    private(set) var sessions: SessionsService!
    private(set) var discovery: DiscoveryService!
    private(set) var diary: Diary!
    let beaconSwitch = MemoryBeaconSwitch()

    fileprivate init(number: UInt8, hood: Neighbourhood, peers: [NetworkAddress], versions: ClosedRange<UInt32>) {
        self.number = number
        self.hood = hood
        self.peers = peers
        self.versions = versions
        host = Neighbourhood.host(number)
        membership = MemoryMembership(device: Neighbourhood.device(number))
    }

    var device: DeviceID { membership.device }
    var address: NetworkAddress { NetworkAddress(host: host, port: 4711) }

    func isConnected(to other: House) -> Bool { sessions?.connected.contains(other.device) == true }

    /// Without discovery, only the test dials. `beacons`: the setting at the start.
    func start(discovering: Bool = true, beacons: Bool = true) throws {
        node = hood.hub.node(host, device: device)
        let boot = hood.nextBoot()
        let log = Logger(label: "house \(number)") { _ in SwiftLogNoOpLogHandler() }
        sessions = SessionsService(
            network: node.network, membership: membership, roster: membership, time: hood.time, boot: boot,
            software: DisplayText(cleaning: "test"), versions: versions, log: log)
        discovery = DiscoveryService(
            air: node.air, network: node.network, membership: membership, beacons: membership, sessions: sessions,
            store: store, time: hood.time, random: .seeded(UInt64(number) + boot.value * 1000), boot: boot,
            settings: DiscoverySettings(peers: peers, beacons: beacons), beaconSwitch: beaconSwitch, log: log)
        diary = Diary()
        diary.takeMessages(of: sessions)
        try sessions.start()
        if discovering { try discovery.start() }
    }

    /// A dial besides those of discovery, over a route with that preference.
    func dial(_ other: House, over preference: LinkPreference = .direct) {
        let (sessions, device) = (sessions!, other.device)
        hood.hub.preference = preference
        defer { hood.hub.preference = .direct }
        node.network.dial(.address(other.node.address), expecting: device) { result in
            if case .success(let link) = result { sessions.linkDialled(link) }
        }
    }

    /// Whether its user looks at the other devices.
    func looks(_ isWatching: Bool) {
        diary.isWatching = isWatching
        sessions.watchingChanged()
    }

    /// The next start knows no addresses, neither given nor learned.
    func forgetPeers() {
        peers = []
        store.files = [:]
    }

    func stop() {
        discovery.stop()
        sessions.stop()
    }

    func crash(silently: Bool = false) {
        hood.hub.crash(host, silently: silently)
        sessions = nil
        discovery = nil
    }

    func move(to newHost: String) {
        hood.hub.move(host, to: newHost)
        host = newHost
    }
}

/// Handles every message except roster changes, and records the events.
final class Diary {
    enum Entry: Equatable {
        case opened(DeviceID)
        case closed(DeviceID)
        case message(PeerMessage, DeviceID)
    }

    var entries: [Entry] = []
    /// The answer to requests; nil: they stay unanswered.
    var answer: PeerMessage?
    var isWatching = false

    private var advertising: DiaryPage<PeerMessage.Advertising>?
    private var continuation: DiaryPage<PeerMessage.Continuation>?
    private var streams: DiaryPage<PeerMessage.Streams>?

    func takeMessages(of sessions: SessionsService) {
        advertising = DiaryPage(of: self, tellsOfSessions: true) { .advertising($0) }
        continuation = DiaryPage(of: self) { .continuation($0) }
        streams = DiaryPage(of: self) { .streams($0) }
        sessions.handlers.advertising = advertising
        sessions.handlers.continuation = continuation
        sessions.handlers.streams = streams
    }
}

private final class DiaryPage<Message>: PeerMessageHandler {
    private unowned let diary: Diary
    private let tellsOfSessions: Bool
    private let message: (Message) -> PeerMessage

    init(of diary: Diary, tellsOfSessions: Bool = false, message: @escaping (Message) -> PeerMessage) {
        self.diary = diary
        self.tellsOfSessions = tellsOfSessions
        self.message = message
    }

    func sessionOpened(_ device: DeviceID) {
        if tellsOfSessions { diary.entries.append(.opened(device)) }
    }

    func sessionClosed(_ device: DeviceID) {
        if tellsOfSessions { diary.entries.append(.closed(device)) }
    }

    func isWatching(_ device: DeviceID) -> Bool { diary.isWatching }

    func handle(_ words: Message, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        diary.entries.append(.message(message(words), device))
        if let answer = diary.answer { reply(answer) }
    }
}
