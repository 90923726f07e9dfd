// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Hosts, connections and failures. Each host gets an in-memory `PeerNetwork` and `BeaconAir`. Everything runs on one
/// `VirtualTime` from one seed, so a seed determines all events.
///
/// Links keep the order of their frames, as TCP does: between separated hosts, frames wait until `heal`. Datagrams may
/// be lost, duplicated or reordered.
package final class MemoryNetwork {
    package typealias Host = String

    let time: VirtualTime
    private var random: Randomness

    /// One way.
    package var latency: ClosedRange<Duration> = .microseconds(200)...(.milliseconds(2))
    /// For each frame, 0 to 1.
    package var linkLoss = 0.0
    /// For each receiver, 0 to 1.
    package var datagramLoss = 0.0
    package var datagramDuplication = 0.0
    /// False: as in many guest networks.
    package var carriesMulticast = true
    package var dialTimeout: Duration = .seconds(10)

    /// For sessions that are dialled from now on. Tests set values other than direct.
    package var preference = LinkPreference.direct

    package var streamTimeout: Duration = .seconds(12)

    package enum StreamObstacle {
        /// Reported to the dialler at once.
        case refused
        /// Reported to the dialler after `dialTimeout`.
        case unanswered
    }

    /// Called for each dial with its acceptor. Nil: the dial succeeds.
    package var interceptsStream: ((StreamHello, Host) -> StreamObstacle?)?

    package internal(set) var framesDelivered = 0
    package internal(set) var datagramsDelivered = 0
    /// By sender.
    package internal(set) var bytesSent: [Host: Int] = [:]
    package internal(set) var linksOpened = 0
    /// A user must have requested each.
    package internal(set) var statesSent = 0
    /// Open at one end at least.
    package var openLinks: Int { connections.count }
    package func openLinks(between one: Host, and other: Host) -> Int {
        connections.count { $0.joins(one, other) }
    }

    private var latencies: [Pair: ClosedRange<Duration>] = [:]
    private var apart: Set<Pair> = []
    private var nodes: [Host: MemoryNode] = [:]
    /// The order makes iterations the same in every run.
    var connections: [MemoryConnection] = []
    var streams: [MemoryStreamConnection] = [] { didSet { streams.removeAll { $0.wire.isOver } } }
    /// Open at one end at least.
    package var openStreams: Int { streams.count { !$0.wire.isOver } }

    private struct Pair: Hashable {
        let low: Host
        let high: Host

        init(_ one: Host, _ other: Host) {
            low = min(one, other)
            high = max(one, other)
        }
    }

    package init(time: VirtualTime, seed: UInt64) {
        self.time = time
        self.random = .seeded(seed)
    }

    // MARK: Hosts

    /// Switches a host on. After a crash, call it again with the same name.
    ///
    /// - Parameters:
    ///   - key: the device's SubjectPublicKeyInfo, which `device` is the hash of.
    package func node(_ host: Host, device: DeviceID, key: [UInt8] = [], port: UInt16 = 4711) -> MemoryNode {
        precondition(nodes[host] == nil, "the host \(host) is on already")
        let node = MemoryNode(hub: self, host: host, device: device, key: key, port: port)
        nodes[host] = node
        return node
    }

    package func node(at host: Host) -> MemoryNode? { nodes[host] }
    package var hosts: [Host] { nodes.keys.sorted() }

    /// The host's kernel still notifies the other ends, unless `silently`, as in a power failure.
    package func crash(_ host: Host, silently: Bool = false) {
        guard let node = nodes.removeValue(forKey: host) else { return }
        node.isOn = false
        for connection in connections where connection.involves(node) {
            connection.abandon(by: node, silently: silently)
        }
        for stream in streams where stream.involves(node) { stream.abandon(by: node, silently: silently) }
    }

    /// Silently cuts its connections.
    package func move(_ host: Host, to newHost: Host) {
        guard let node = nodes.removeValue(forKey: host) else { return }
        precondition(nodes[newHost] == nil, "the host \(newHost) is on already")
        for connection in connections where connection.involves(node) { connection.cut() }
        for stream in streams where stream.involves(node) { stream.fellSilent() }
        node.host = newHost
        nodes[newHost] = node
        node.air.networkChanged()
    }

    // MARK: Between hosts

    /// Until `heal`.
    package func partition(_ group: [Host], _ others: [Host]) {
        for host in group {
            for other in others where other != host { apart.insert(Pair(host, other)) }
        }
        for stream in streams { stream.watch() }
    }

    package func isolate(_ host: Host) { partition([host], hosts) }

    package func heal() {
        apart = []
        for connection in connections { connection.resume() }
        for stream in streams { stream.resume() }
    }

    package func setLatency(_ range: ClosedRange<Duration>, between one: Host, and other: Host) {
        latencies[Pair(one, other)] = range
    }

    package func areApart(_ one: Host, _ other: Host) -> Bool { apart.contains(Pair(one, other)) }

    /// False if `node` has moved from `host`.
    func reaches(_ node: MemoryNode, from host: Host, _ other: Host) -> Bool {
        node.host == host && !areApart(host, other)
    }

    package func breakLinks(_ one: Host, _ other: Host) {
        breakSessions(one, other)
        breakStreams(one, other)
    }

    package func breakSessions(_ one: Host, _ other: Host) {
        for connection in connections where connection.joins(one, other) { connection.reset() }
    }

    package func breakStreams(_ one: Host, _ other: Host) {
        for stream in streams where stream.joins(one, other) { stream.wire.broke("the connection was reset") }
    }

    // MARK: Randomness

    func drawLatency(_ one: Host, _ other: Host) -> Duration {
        let range = latencies[Pair(one, other)] ?? latency
        let low = range.lowerBound.inMicroseconds
        return .microseconds(Int64.random(in: low...max(low, range.upperBound.inMicroseconds), using: &random))
    }

    func happens(_ chance: Double) -> Bool {
        chance > 0 && Double.random(in: 0..<1, using: &random) < chance
    }
}

package final class MemoryNode {
    package private(set) var device: DeviceID
    package private(set) var key: [UInt8]
    package let port: UInt16
    package internal(set) var host: MemoryNetwork.Host
    package let network: MemoryPeerNetwork
    package let air: MemoryAir
    var isOn = true

    init(hub: MemoryNetwork, host: MemoryNetwork.Host, device: DeviceID, key: [UInt8], port: UInt16) {
        self.host = host
        self.device = device
        self.key = key
        self.port = port
        network = MemoryPeerNetwork(hub: hub)
        air = MemoryAir(hub: hub)
        network.node = self
        air.node = self
    }

    package var address: NetworkAddress { NetworkAddress(host: host, port: port) }

    package func identify(as device: DeviceID, key: [UInt8]) {
        self.device = device
        self.key = key
    }
}

extension Duration {
    var inMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
