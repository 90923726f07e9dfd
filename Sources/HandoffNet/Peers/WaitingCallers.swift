// SPDX-License-Identifier: Apache-2.0

/// Accepted connections in the order of what they have proved: nothing, of a network from which a member came lately, that they
/// share a secret with this device, or that of a member. Each kind has room of its own, so none pushes out one that has shown
/// more.
struct WaitingCallers {
    /// Of strangers, at a time. Each costs a descriptor and some kilobytes, and no TLS. A thousand come in a second from a
    /// hundred addresses, and a member at the other end of the world still has the time for its round trip.
    static let strangers = 512
    /// Of networks that members came from.
    static let neighbours = 64
    /// Members in a handshake, and as many that join or were members. One costs some tens of kilobytes.
    static let callers = 64
    /// Of one source or one caller, at a time.
    static let each = 24
    /// Networks that are remembered; the one that a member came from longest ago goes.
    static let networks = 64

    private var strangers = UnprovenConnections<UInt64>(total: strangers, perSource: each)
    private var neighbours = UnprovenConnections<UInt64>(total: neighbours, perSource: each)
    private var members = UnprovenConnections<UInt64>(total: callers, perSource: each)
    private var others = UnprovenConnections<UInt64>(total: callers, perSource: each)
    /// The latest last.
    private var networks: [String] = []

    /// A connection came. Returns which one has to go.
    mutating func arrived(_ number: UInt64, from network: String) -> UInt64? {
        networks.contains(network)
            ? neighbours.arrived(number, from: network) : strangers.arrived(number, from: network)
    }

    /// It shares a secret. Returns which one has to go.
    mutating func called(_ number: UInt64, by caller: String, isMember: Bool) -> UInt64? {
        settled(number)
        return isMember ? members.arrived(number, from: caller) : others.arrived(number, from: caller)
    }

    /// Proved itself, failed or left.
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
