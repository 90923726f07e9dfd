// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// The network of a town: hosts, what lies between them, and what goes wrong there. Each host gets a twin of
/// `PeerNetwork` and one of `BeaconAir`. Everything happens on one `VirtualTime` and from one seed, so a seed is a
/// course of events.
///
/// Links keep the order of their frames, as TCP does: while two hosts are apart, frames wait and arrive after `heal`.
/// Datagrams are lost, doubled and overtake each other.
package final class MemoryNetwork {
    package typealias Host = String

    let time: VirtualTime
    private var random: Randomness

    /// How long a frame or datagram is under way, one way.
    package var latency: ClosedRange<Duration> = .microseconds(200)...(.milliseconds(2))
    /// The chance that a frame breaks its link, 0 to 1.
    package var linkLoss = 0.0
    /// The chance that a datagram is lost, or arrives twice, for each receiver.
    package var datagramLoss = 0.0
    package var datagramDuplication = 0.0
    /// False: broadcasts reach nobody, as in many guest networks.
    package var carriesMulticast = true
    /// How long a dial waits where nobody answers at all.
    package var dialTimeout: Duration = .seconds(10)

    /// What links of sessions that are dialled from now on are worth; other than direct as tests make it up.
    package var preference = LinkPreference.direct

    /// How long the other end of a stream may be silent before its connection counts as lost.
    package var streamTimeout: Duration = .seconds(12)

    /// What becomes of a dial of a stream that does not get through.
    package enum StreamObstacle {
        /// Its dialler hears so at once.
        case refused
        /// Its dialler hears of it after `dialTimeout`.
        case unanswered
    }

    /// Asked for each dial of a stream, with its acceptor. Nil: it gets through.
    package var interceptsStream: ((StreamHello, Host) -> StreamObstacle?)?

    /// Frames and datagrams that arrived so far.
    package internal(set) var framesDelivered = 0
    package internal(set) var datagramsDelivered = 0
    /// Bytes of frames that each host sent so far.
    package internal(set) var bytesSent: [Host: Int] = [:]
    package internal(set) var linksOpened = 0
    /// Frames with the state of an activity that a device sent so far: each has to have a user's wish behind it.
    package internal(set) var statesSent = 0
    /// Links that at least one end still holds.
    package var openLinks: Int { connections.count }
    /// Those of them between these two hosts.
    package func openLinks(between one: Host, and other: Host) -> Int {
        connections.count { $0.joins(one, other) }
    }

    private var latencies: [Pair: ClosedRange<Duration>] = [:]
    private var apart: Set<Pair> = []
    private var nodes: [Host: MemoryNode] = [:]
    /// In the order of their dials, so that every walk over them is the same on each run.
    var connections: [MemoryConnection] = []
    var streams: [MemoryStreamConnection] = [] { didSet { streams.removeAll { $0.wire.isOver } } }
    /// Connections of streams that at least one end still holds.
    package var openStreams: Int { streams.count { !$0.wire.isOver } }

    /// Two hosts in either order.
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

    /// Switches a host on. A host that was switched off or crashed comes back by being made anew, under the same name.
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

    /// The daemon on that host ends without a word of its own. Its kernel still says so to the other ends; with
    /// `silently`, as when the battery is taken out, not even that happens.
    package func crash(_ host: Host, silently: Bool = false) {
        guard let node = nodes.removeValue(forKey: host) else { return }
        node.isOn = false
        for connection in connections where connection.involves(node) {
            connection.abandon(by: node, silently: silently)
        }
        for stream in streams where stream.involves(node) { stream.abandon(by: node, silently: silently) }
    }

    /// The host gets another address. What was open over the old one is cut without a word.
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

    /// Nothing passes between a host of one group and one of the other, until `heal`.
    package func partition(_ group: [Host], _ others: [Host]) {
        for host in group {
            for other in others where other != host { apart.insert(Pair(host, other)) }
        }
        for stream in streams { stream.watch() }
    }

    /// That host and all others.
    package func isolate(_ host: Host) { partition([host], hosts) }

    package func heal() {
        apart = []
        for connection in connections { connection.resume() }
        for stream in streams { stream.resume() }
    }

    /// A latency of their own for two hosts.
    package func setLatency(_ range: ClosedRange<Duration>, between one: Host, and other: Host) {
        latencies[Pair(one, other)] = range
    }

    package func areApart(_ one: Host, _ other: Host) -> Bool { apart.contains(Pair(one, other)) }

    /// `node` still has the address `host`, and nothing is in the way from there to `other`.
    func reaches(_ node: MemoryNode, from host: Host, _ other: Host) -> Bool {
        node.host == host && !areApart(host, other)
    }

    /// The link between these two hosts breaks; both ends see it.
    package func breakLinks(_ one: Host, _ other: Host) {
        breakSessions(one, other)
        breakStreams(one, other)
    }

    /// Those but for streams.
    package func breakSessions(_ one: Host, _ other: Host) {
        for connection in connections where connection.joins(one, other) { connection.reset() }
    }

    /// The streams alone.
    package func breakStreams(_ one: Host, _ other: Host) {
        for stream in streams where stream.joins(one, other) { stream.wire.broke("the connection was reset") }
    }

    // MARK: Dice

    func drawLatency(_ one: Host, _ other: Host) -> Duration {
        let range = latencies[Pair(one, other)] ?? latency
        let low = range.lowerBound.inMicroseconds
        return .microseconds(Int64.random(in: low...max(low, range.upperBound.inMicroseconds), using: &random))
    }

    func happens(_ chance: Double) -> Bool {
        chance > 0 && Double.random(in: 0..<1, using: &random) < chance
    }
}

/// One host: what a daemon there is given.
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

    /// The daemon there has another key: what it opens and takes from now on is that device's.
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
