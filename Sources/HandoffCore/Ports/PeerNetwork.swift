// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address (with its scope: `fe80::1%eth0`), or a host name given by the user.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `HOST:PORT` or `[V6]:PORT`; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// An open TLS connection to another device, mutually authenticated. `device` is the hash of the key that the device
/// proved.
package protocol PeerLink: AnyObject {
    var device: DeviceID { get }
    /// This device dialled; false: it accepted.
    var isDialled: Bool { get }
    /// The dialled endpoint, or the source of an accepted connection, whose port is temporary.
    var endpoint: PeerEndpoint { get }
    /// The preference of its route, equal at both ends.
    var preference: LinkPreference { get }
    /// Frames are sent in order. A frame that cannot be sent is dropped; `linkClosed` reports it.
    func send(_ frame: PeerFrame)
    /// Sends queued frames, then closes. `linkClosed` follows, once.
    func close()
    /// Closes immediately without lingering, for an unwanted peer. `linkClosed` follows, once.
    func drop()
}

extension PeerLink {
    package var preference: LinkPreference { endpoint.preference }
}

/// A connection on which a device joins. One of the two devices is not yet a member.
package protocol EnrollLink: AnyObject {
    /// The other side's SubjectPublicKeyInfo, proved by the handshake.
    var remoteKey: [UInt8] { get }
    /// The peer's network, as far as it distinguishes machines: for IPv6, the part that a machine cannot choose freely.
    var source: String { get }
    /// The peer's address for display: `10.77.0.1`, `fe80::1%eth0`. Empty if unknown.
    var host: String { get }
    func send(_ message: EnrollMessage)
    func close()
}

/// TLS connections between devices. In-memory implementation: `MemoryNetwork` in `HandoffTesting`.
package protocol PeerNetwork: AnyObject {
    /// These three are held weakly, and set before the first connection arrives. If one is missing, connections for its
    /// purpose are refused; without `sessionHandler`, all are.
    var sessionHandler: (any PeerSessionHandler)? { get set }
    var streamHandler: (any PeerStreamHandler)? { get set }
    var enrollmentHandler: (any EnrollmentHandler)? { get set }
    /// Held weakly. Without it, no caller is answered and no device can be dialled.
    var callDirectory: (any CallDirectory)? { get set }
    /// Begins to accept. Throws a `Failure` that names the address if the port is taken.
    func start() throws
    /// A sentence for the user about why other devices may not reach this one.
    var listeningProblem: String? { get }
    var listeningAddress: NetworkAddress? { get }
    /// Dials `device`, or, if that is nil, any member at an endpoint given by the user. Completes once, within ten
    /// seconds and never before it returns. Fails with:
    ///
    /// - `.connectionUnavailable`, even if another device answers, because that device reveals nothing.
    /// - `.notAMember` if a removed device answers.
    /// - `.versionUnsupported` if the peer waits for the caller's data, as older versions do.
    func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void)
    /// `secret` is derived from the invite's code.
    func dialToEnroll(
        _ address: NetworkAddress, with secret: CallSecret,
        completion: @escaping (Result<any EnrollLink, Failure>) -> Void)
    /// Completes once, within ten seconds and never before it returns. On success, the link leads to exactly `device`,
    /// and the other side has accepted `hello`. Otherwise it fails with the other side's failure,
    /// `.connectionUnavailable` or `.notAMember`. Bytes wait for `join`.
    func dialStream(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void)
    /// Closes the listener and all links. Streams are cut, and no end of a stream is confirmed.
    func stop()
}

/// The caller of an incoming connection, as proven before anything else.
package enum Caller: Hashable, Sendable {
    /// A device in the roster, even one that is no longer a member.
    case device(DeviceID)
    case invited
}

/// The callers that are answered, and the secrets for calling. Called on the daemon's loop, for each connection.
package protocol CallDirectory: AnyObject {
    /// Other callers learn nothing, not even which device this is.
    var callers: [(caller: Caller, secret: CallSecret)] { get }
    /// The secrets for calling that device; nil: for any member. At most `Limits.callProofs`; empty if the device is
    /// unknown.
    func secrets(calling device: DeviceID?) -> [CallSecret]
}

/// The links of sessions, and who may open them. Called on the daemon's loop.
package protocol PeerSessionHandler: AnyObject {
    /// Called within the handshake for a device that answers, and before the link is passed on for a device that calls.
    /// This device's own key is treated as a stranger's.
    func admission(of device: DeviceID) -> Admission
    /// A member or a former member dialled. (`dial` completes with the links that this device dialled.)
    func linkAccepted(_ link: any PeerLink)
    func frameReceived(_ frame: PeerFrame, on link: any PeerLink)
    /// Called once for each link, accepted or dialled. `failure` is nil for an orderly end.
    func linkClosed(_ link: any PeerLink, failure: Failure?)
}

/// The links of streams. Called on the daemon's loop.
package protocol PeerStreamHandler: AnyObject {
    /// A member dialled for a stream, in a version that both support. `join` or `refuse` must follow within the
    /// lifetime of a token.
    func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink)
}

/// The links of joining devices, at either end. Called on the daemon's loop.
package protocol EnrollmentHandler: AnyObject {
    func enrollLinkAccepted(_ link: any EnrollLink)
    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink)
    /// Called once for each link, accepted or dialled.
    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?)
}

/// A route to a device, which sessions and streams dial.
package enum PeerEndpoint: Hashable, Sendable, CustomStringConvertible {
    case address(NetworkAddress)

    package var preference: LinkPreference {
        switch self {
        case .address: .direct
        }
    }

    package var address: NetworkAddress? {
        switch self {
        case .address(let address): address
        }
    }

    package var description: String {
        switch self {
        case .address(let address): address.description
        }
    }
}

/// The preference of a route to a device. Of two links, the one with the higher preference stays, regardless of their
/// order.
package struct LinkPreference: Hashable, Comparable, Sendable {
    /// Higher is better. Only the order matters.
    private let rank: Int

    package init(rank: Int) { self.rank = rank }

    package static let direct = LinkPreference(rank: 100)

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

package enum Admission: Hashable, Sendable, CaseIterable {
    case member
    /// It was removed from the account, and may not know it. It is notified of that, and of nothing else.
    case former
    case stranger

    /// Whether it may dial this device for that purpose. A joining device is admitted by an invite's code instead.
    package func mayDial(for purpose: ConnectionPurpose) -> Bool {
        switch (self, purpose) {
        case (.member, .session), (.member, .stream), (.former, .session): true
        case (.former, .stream), (.stranger, _), (_, .enroll): false
        }
    }

    /// Whether this device dials it for a session or a stream. A removed device learns of the removal when it dials.
    package var mayAnswer: Bool {
        switch self {
        case .member: true
        case .former, .stranger: false
        }
    }
}
