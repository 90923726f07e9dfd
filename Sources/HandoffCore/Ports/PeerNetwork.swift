// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Where a device can be dialled.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address (with its scope: `fe80::1%eth0`), or a host name given by hand.
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

/// An open TLS connection to another device, mutually authenticated: `device` is the hash of the key it proved.
package protocol PeerLink: AnyObject {
    var device: DeviceID { get }
    /// We dialled it; false: we accepted it.
    var isDialled: Bool { get }
    /// Where we dialled it, or where it comes from: the port of an accepted one is one of passage.
    var endpoint: PeerEndpoint { get }
    /// Of the way it takes, the same at both ends.
    var preference: LinkPreference { get }
    /// In order. What cannot be sent any more is dropped; `linkClosed` tells.
    func send(_ frame: PeerFrame)
    /// Sends what was queued, then closes. `linkClosed` follows, once.
    func close()
    /// Closes now, and nothing of it stays: for whoever has no business here. `linkClosed` follows, once.
    func drop()
}

extension PeerLink {
    package var preference: LinkPreference { endpoint.preference }
}

/// A connection on which a device joins. The other side is not a member yet, or we are not.
package protocol EnrollLink: AnyObject {
    /// The other side's SubjectPublicKeyInfo, proved by the handshake.
    var remoteKey: [UInt8] { get }
    /// The network at the other end, as the one address of a machine is told from that of others: of IPv6 the part that
    /// one machine cannot choose at will.
    var source: String { get }
    /// The address at the other end, as people compare it: `10.77.0.1`, `fe80::1%eth0`. Empty if it is not known.
    var host: String { get }
    func send(_ message: EnrollMessage)
    func close()
}

/// TLS connections between devices. In-memory twin: `MemoryNetwork` in `HandoffTesting`.
package protocol PeerNetwork: AnyObject {
    /// These three are held weakly, and set by the time the first connection comes. Where one is missing, connections for
    /// its purpose are refused; without `sessionHandler` all are.
    var sessionHandler: (any PeerSessionHandler)? { get set }
    var streamHandler: (any PeerStreamHandler)? { get set }
    var enrollmentHandler: (any EnrollmentHandler)? { get set }
    /// Held weakly too. Without it nobody is answered, and nobody can be dialled.
    var callDirectory: (any CallDirectory)? { get set }
    /// Begins to accept. Throws `Failure` naming the address where the port is taken.
    func start() throws
    /// A sentence for the user about why other devices may not reach this one.
    var listeningProblem: String? { get }
    /// Nil before `start`.
    var listeningAddress: NetworkAddress? { get }
    /// Answers once, within ten seconds and never before it returned: an open link to exactly `device`, or to whichever
    /// member answers where that is nil (a way given by hand), or why not: `.connectionUnavailable`, also where another
    /// device is there, for that shows nothing of itself; `.notAMember` where one answered that is none any more;
    /// `.versionUnsupported` where whoever is there waits for the caller's words, as older versions did.
    func dial(
        _ endpoint: PeerEndpoint, expecting device: DeviceID?,
        completion: @escaping (Result<any PeerLink, Failure>) -> Void)
    /// `secret` is that of the invite's code.
    func dialToEnroll(
        _ address: NetworkAddress, with secret: CallSecret,
        completion: @escaping (Result<any EnrollLink, Failure>) -> Void)
    /// Answers once, within ten seconds and never before it returned: a link to exactly `device` on which the other side
    /// has said ready to `hello`, or why not (what the other side said, `.connectionUnavailable` or `.notAMember`). Its
    /// bytes wait for `join`.
    func dialStream(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void)
    /// Closes the listener and every link. Streams are cut: none is to be taken for ended.
    func stop()
}

/// Who is at the other end of a connection that came, as its proof says before anything else.
package enum Caller: Hashable, Sendable {
    /// A device of the roster, whether it counts or not.
    case device(DeviceID)
    /// Whoever has the code of an invite.
    case invited
}

/// Whose calls are answered, and how to call. Called on the daemon's loop, for each connection.
package protocol CallDirectory: AnyObject {
    /// Everybody else learns nothing, not even which device this is.
    var callers: [(caller: Caller, secret: CallSecret)] { get }
    /// Under which that device is called; nil: whichever member answers. At most `Limits.callProofs`, none where it is unknown.
    func secrets(calling device: DeviceID?) -> [CallSecret]
}

/// Links of sessions, and who may have any. Called on the daemon's loop.
package protocol PeerSessionHandler: AnyObject {
    /// Asked of whoever answers, within the handshake, and of whoever came, before the link is handed over. Our own key is
    /// a stranger's.
    func admission(of device: DeviceID) -> Admission
    /// A member, or a former one, dialled us. (Links that we dialled come by `dial`'s completion.)
    func linkAccepted(_ link: any PeerLink)
    func frameReceived(_ frame: PeerFrame, on link: any PeerLink)
    /// Once for each link, accepted or dialled. `failure` is nil for an orderly end.
    func linkClosed(_ link: any PeerLink, failure: Failure?)
}

/// Links of streams. Called on the daemon's loop.
package protocol PeerStreamHandler: AnyObject {
    /// A member dialled for a stream, in a version that both speak. `join` or `refuse` is due, within the time of a token.
    func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink)
}

/// Links of devices that join, at either end. Called on the daemon's loop.
package protocol EnrollmentHandler: AnyObject {
    func enrollLinkAccepted(_ link: any EnrollLink)
    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink)
    /// Once for each link, accepted or dialled.
    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?)
}
