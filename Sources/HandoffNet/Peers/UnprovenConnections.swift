// SPDX-License-Identifier: Apache-2.0

/// Despite a flood an honest caller succeeds: it needs only one round trip.
struct UnprovenConnections<Connection: Hashable> {
    let total: Int
    let perSource: Int

    /// Oldest first. Short, because of the limits.
    private var waiting: [(connection: Connection, source: String)] = []
    private var counts: [String: Int] = [:]

    init(total: Int, perSource: Int) {
        self.total = total
        self.perSource = perSource
    }

    var count: Int { waiting.count }

    /// Returns the displaced connection: the oldest of this source if it has too many, else of the most frequent
    /// source.
    mutating func arrived(_ connection: Connection, from source: String) -> Connection? {
        defer {
            waiting.append((connection, source))
            counts[source, default: 0] += 1
        }
        if counts[source, default: 0] >= perSource { return removeFirst { $0 == source } }
        guard waiting.count >= total else { return nil }
        let counts = counts
        let most = counts.values.max()
        return removeFirst { counts[$0] == most }
    }

    mutating func settled(_ connection: Connection) {
        guard let index = waiting.firstIndex(where: { $0.connection == connection }) else { return }
        remove(at: index)
    }

    private mutating func removeFirst(where isGreedy: (String) -> Bool) -> Connection? {
        waiting.firstIndex { isGreedy($0.source) }.map { remove(at: $0) }
    }

    @discardableResult
    private mutating func remove(at index: Int) -> Connection {
        let (connection, source) = waiting.remove(at: index)
        let left = counts[source, default: 1] - 1
        counts[source] = left > 0 ? left : nil
        return connection
    }
}

/// By proof: none, a member's recent network, an announced code, a shared secret, or a member's secret. Each kind has
/// its own room, so a connection cannot displace another that proved more.
struct WaitingCallers {
    /// Each costs a descriptor and some kilobytes. Even at a thousand a second from a hundred addresses, a distant
    /// member has time for a round trip.
    static let strangers = 512
    static let neighbours = 64
    /// Members in a handshake, and separately joining devices and former members. Some tens of kilobytes each.
    static let callers = 64
    /// Per source or caller.
    static let each = 24
    /// Per address, of devices with the announced code.
    static let eachOfAnyone = 4
    /// The least recently used is forgotten.
    static let networks = 64

    private var strangers = UnprovenConnections<UInt64>(total: strangers, perSource: each)
    private var neighbours = UnprovenConnections<UInt64>(total: neighbours, perSource: each)
    private var members = UnprovenConnections<UInt64>(total: callers, perSource: each)
    private var others = UnprovenConnections<UInt64>(total: callers, perSource: each)
    private var anyone = UnprovenConnections<UInt64>(total: callers, perSource: eachOfAnyone)
    private var networks: [String] = []

    enum Standing {
        case member
        case known
        case anyone
    }

    /// Returns the connection to close.
    mutating func arrived(_ number: UInt64, from network: String) -> UInt64? {
        networks.contains(network)
            ? neighbours.arrived(number, from: network) : strangers.arrived(number, from: network)
    }

    /// After the proof of a secret. Returns the connection to close.
    mutating func called(_ number: UInt64, by caller: String, _ standing: Standing) -> UInt64? {
        settled(number)
        return switch standing {
        case .member: members.arrived(number, from: caller)
        case .known: others.arrived(number, from: caller)
        case .anyone: anyone.arrived(number, from: caller)
        }
    }

    mutating func settled(_ number: UInt64) {
        strangers.settled(number)
        neighbours.settled(number)
        members.settled(number)
        others.settled(number)
        anyone.settled(number)
    }

    mutating func memberCame(from network: String) {
        networks.removeAll { $0 == network }
        networks.append(network)
        if networks.count > Self.networks { networks.removeFirst() }
    }
}
