// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

extension SocketAddress {
    /// Where `struct sockaddr_in6` keeps the interface's number.
    private static let scopeOffset = 24

    /// The interface that an IPv6 address is meant on; 0: any.
    var scope: UInt32 {
        guard case .v6 = self else { return 0 }
        return withSockAddr { pointer, length in
            UnsafeRawBufferPointer(start: pointer, count: length).loadUnaligned(
                fromByteOffset: Self.scopeOffset, as: UInt32.self)
        }
    }

    /// The same IPv6 address on this interface.
    func scoped(to interface: UInt32) -> SocketAddress {
        guard case .v6(let v6) = self else { return self }
        var address = v6.address
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: interface, toByteOffset: Self.scopeOffset, as: UInt32.self)
        }
        return SocketAddress(address, host: "")
    }

    /// The 16 bytes of an IPv6 address; empty for others.
    var ipv6Bytes: [UInt8] {
        guard case .v6 = self else { return [] }
        return withSockAddr { pointer, length in Array(UnsafeRawBufferPointer(start: pointer, count: length)[8..<24]) }
    }
}
