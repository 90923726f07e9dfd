// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import NIOCore
internal import NIOPosix

/// Off the loop, because `getaddrinfo` may take seconds.
enum NameLookup {
    /// In the system's order of preference; empty if unknown.
    static func addresses(of address: NetworkAddress, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        // NIO's lookup uses Dispatch, which then wakes this process every second.
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { resolve(address) }
    }

    private static func resolve(_ address: NetworkAddress) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry = entry?.pointee, let bytes = UnsafeRawPointer(entry.ai_addr) else { return nil }
            switch entry.ai_family {
            case AF_INET: return SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self), host: address.host)
            case AF_INET6: return SocketAddress(bytes.load(as: sockaddr_in6.self), host: address.host)
            default: return nil
            }
        }
    }
}
