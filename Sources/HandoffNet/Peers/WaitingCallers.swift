// SPDX-License-Identifier: Apache-2.0

/// Accepted connections by what they have proved: nothing, a network from which a member connected recently, a shared
/// secret, or a member's secret. Each kind has separate room, so a connection cannot displace another that proved more.
struct WaitingCallers {
    /// Each costs a descriptor and some kilobytes, but no TLS. Even at a thousand a second from a hundred addresses, a
    /// distant member has time for its round trip.
    static let strangers = 512
    static let neighbours = 64
    /// Members in a handshake, and separately devices that join or are former members. Each costs some tens of
    /// kilobytes.
    static let callers = 64
    /// Per source or caller.
    static let each = 24
    /// The least recently used is forgotten.
    static let networks = 64

    private var strangers = UnprovenConnections<UInt64>(total: strangers, perSource: each)
    private var neighbours = UnprovenConnections<UInt64>(total: neighbours, perSource: each)
    private var members = UnprovenConnections<UInt64>(total: callers, perSource: each)
    private var others = UnprovenConnections<UInt64>(total: callers, perSource: each)
    private var networks: [String] = []

    /// Returns the connection to close, if any.
    mutating func arrived(_ number: UInt64, from network: String) -> UInt64? {
        networks.contains(network)
            ? neighbours.arrived(number, from: network) : strangers.arrived(number, from: network)
    }

    /// The connection proved a shared secret. Returns the connection to close, if any.
    mutating func called(_ number: UInt64, by caller: String, isMember: Bool) -> UInt64? {
        settled(number)
        return isMember ? members.arrived(number, from: caller) : others.arrived(number, from: caller)
    }

    mutating func settled(_ number: UInt64) {
        strangers.settled(number)
        neighbours.settled(number)
        members.settled(number)
        others.settled(number)
    }

    mutating func memberCame(from network: String) {
        networks.removeAll { $0 == network }
        networks.append(network)
        if networks.count > Self.networks { networks.removeFirst() }
    }
}
