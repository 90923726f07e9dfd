// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire
internal import NIOCore

/// Opened without NIO, because a taken port must be reported before the daemon is ready.
struct ListeningSocket: ~Copyable {
    let descriptor: OwnedDescriptor
    let address: NetworkAddress

    private static let backlog: Int32 = 256

    /// `listen` nil: all interfaces, IPv6 and IPv4, with `usualPort` if it is free.
    static func open(_ listen: NetworkAddress?, usualPort: UInt16) throws(Failure) -> ListeningSocket {
        guard let listen else {
            do throws(SystemError) {
                return try openEverywhere(port: usualPort)
            } catch  where error.code == EADDRINUSE {
                return try attempt("every interface") { () throws(SystemError) in try openEverywhere(port: 0) }
            } catch {
                throw refusal("every interface", error)
            }
        }
        if listen.host == "*" {
            return try attempt("port \(listen.port)") { () throws(SystemError) in try openEverywhere(port: listen.port)
            }
        }
        guard
            let address = listen.socketAddress ?? (try? .makeAddressResolvingHost(listen.host, port: Int(listen.port)))
        else { throw Failure(.connectionUnavailable, "cannot listen on \(listen): no such address") }
        return try attempt("\(listen)") { () throws(SystemError) in try open(address, dualStack: false) }
    }

    consuming func give() -> Int32 { descriptor.give() }

    private static func openEverywhere(port: UInt16) throws(SystemError) -> ListeningSocket {
        let any = NetworkAddress(host: "::", port: port)
        do throws(SystemError) {
            return try open(any.socketAddress!, dualStack: true)
        } catch  where error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL {
            return try open(NetworkAddress(host: "0.0.0.0", port: port).socketAddress!, dualStack: false)
        }
    }

    private static func open(_ address: SocketAddress, dualStack: Bool) throws(SystemError) -> ListeningSocket {
        let isIPv6 = if case .v6 = address { true } else { false }
        let socket = try OwnedDescriptor.socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM)
        // A restarted daemon can reuse its port at once, but two listeners cannot share it.
        try socket.set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        if isIPv6 { try socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(dualStack ? 0 : 1)) }
        // Also limits callers' segments.
        try socket.set(Int32(IPPROTO_TCP), TCP_MAXSEG, PeerSocketOptions.segment)
        try socket.bind(to: address)
        try socket.listen(backlog: backlog)
        let host = NetworkAddress(address)?.host ?? ""
        let port = socket.localPort
        return ListeningSocket(descriptor: socket, address: NetworkAddress(host: host, port: port))
    }

    private static func attempt(
        _ place: String, _ open: () throws(SystemError) -> ListeningSocket
    ) throws(Failure) -> ListeningSocket {
        do throws(SystemError) { return try open() } catch { throw refusal(place, error) }
    }

    private static func refusal(_ place: String, _ error: SystemError) -> Failure {
        let cause = error.code == EADDRINUSE ? "another program already listens there" : error.reason
        return Failure(.connectionUnavailable, "cannot listen on \(place): \(cause)")
    }
}
