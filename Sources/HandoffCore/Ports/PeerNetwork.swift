// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address (`fe80::1%eth0` with its scope), or a user's host name.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `HOST:PORT` or `[V6]:PORT`.
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

/// Mutually authenticated. `device`: the hash of the proved key.
package protocol PeerLink: AnyObject {
    var device: DeviceID { get }
    var isDialled: Bool { get }
    /// As dialled, or the caller's, whose port is temporary.
    var endpoint: PeerEndpoint { get }
    /// This device's address on the link; nil if unknown.
    var localHost: String? { get }
    /// Equal at both ends.
    var preference: LinkPreference { get }
    /// In order. If a frame cannot be sent, `linkClosed` follows.
    func send(_ frame: PeerFrame)
    /// Sends queued frames, then closes. `linkClosed` follows, once.
    func close()
    /// Without sending queued frames, for an unwanted peer. `linkClosed` follows, once.
    func drop()
}

extension PeerLink {
    package var preference: LinkPreference { endpoint.preference }
}

/// One of the two devices is not yet a member.
package protocol EnrollLink: AnyObject {
    /// SubjectPublicKeyInfo, proved by the handshake.
    var remoteKey: [UInt8] { get }
    /// For IPv6, the part that a machine cannot choose freely.
    var source: String { get }
    /// For display: `10.77.0.1`, `fe80::1%eth0`. Empty if unknown.
    var host: String { get }
    /// The caller proved only the announced code. False for a dialled link.
    var hasPublicCode: Bool { get }
    func send(_ message: EnrollMessage)
    func close()
}

package protocol PeerNetwork: AnyObject {
    /// Held weakly; set before the first connection arrives. Refuses connections without a handler, and all without
    /// `sessionHandler`.
    var sessionHandler: (any PeerSessionHandler)? { get set }
    var streamHandler: (any PeerStreamHandler)? { get set }
    var enrollmentHandler: (any EnrollmentHandler)? { get set }
    /// Held weakly. Without it, answers and makes no calls.
    var callDirectory: (any CallDirectory)? { get set }
    /// The `Failure` of a taken port names the address.
    func start() throws
    /// For the user: why other devices may not reach this one.
    var listeningProblem: String? { get }
    var listeningAddress: NetworkAddress? { get }
    /// `device` nil: any member, at an endpoint given by the user. Completes once, within ten seconds and never before
    /// it returns. Fails with:
    ///
    /// - `.connectionUnavailable`, even if another device answers, because that device reveals nothing.
    /// - `.notAMember` if a removed device answers.
    /// - `.versionUnsupported` if the peer waits for data, as older versions do.
    func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void)
    func dialToEnroll(
        _ address: NetworkAddress, with secret: CallSecret,
        completion: @escaping (Result<any EnrollLink, Failure>) -> Void)
    /// Completes as `dial` does. On success, exactly `device` has accepted `hello`, and bytes wait for `join`. May fail
    /// with the other side's failure.
    func dialStream(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void)
    /// Closes all links. Streams are cut; no end of a stream is confirmed.
    func stop()
}

package enum Caller: Hashable, Sendable {
    /// In the roster, perhaps no longer a member.
    case device(DeviceID)
    /// Has the typed code.
    case invited
    /// Has the announced code, which is public.
    case announced
}

/// On the daemon's loop, for each connection.
package protocol CallDirectory: AnyObject {
    /// Others learn nothing, not even which device this is.
    var callers: [(caller: Caller, secret: CallSecret)] { get }
    /// Nil: any member. At most `Limits.callProofs`; empty if it is unknown.
    func secrets(calling device: DeviceID?) -> [CallSecret]
}

/// On the daemon's loop.
package protocol PeerSessionHandler: AnyObject {
    /// Called within the handshake for a device that answers; for a caller, before the link is passed on. This device's
    /// own key is a stranger's.
    func admission(of device: DeviceID) -> Admission
    /// A member or former member dialled.
    func linkAccepted(_ link: any PeerLink)
    func frameReceived(_ frame: PeerFrame, on link: any PeerLink)
    /// Once for each link. Nil `failure`: an orderly end.
    func linkClosed(_ link: any PeerLink, failure: Failure?)
    /// A stream moved bytes to or from that device within the last seconds.
    func streamMoved(with device: DeviceID)
}

extension PeerSessionHandler {
    package func streamMoved(with device: DeviceID) {}
}

/// On the daemon's loop.
package protocol PeerStreamHandler: AnyObject {
    /// By a member. `join` or `refuse` must follow within a token's lifetime.
    func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink)
}

/// For both ends, on the daemon's loop.
package protocol EnrollmentHandler: AnyObject {
    func enrollLinkAccepted(_ link: any EnrollLink)
    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink)
    /// Once for each link.
    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?)
}

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

package struct LinkPreference: Hashable, Comparable, Sendable {
    /// Higher is better.
    private let rank: Int

    package init(rank: Int) { self.rank = rank }

    package static let direct = LinkPreference(rank: 100)

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

package enum Admission: Hashable, Sendable, CaseIterable {
    case member
    /// Removed, perhaps without knowing it. It is notified only of that.
    case former
    case stranger

    package func mayDial(for purpose: ConnectionPurpose) -> Bool {
        switch (self, purpose) {
        case (.member, .session), (.member, .stream), (.former, .session): true
        case (.former, .stream), (.stranger, _), (_, .enroll): false
        }
    }

    /// A removed device learns of it when it dials.
    package var mayAnswer: Bool {
        switch self {
        case .member: true
        case .former, .stranger: false
        }
    }
}
