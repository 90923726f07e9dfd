// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

extension SocketAddress {
    /// In `struct sockaddr_in6`.
    private static let scopeOffset = 24

    /// 0: any.
    var scope: UInt32 {
        guard case .v6 = self else { return 0 }
        return withSockAddr { pointer, length in
            UnsafeRawBufferPointer(start: pointer, count: length).loadUnaligned(
                fromByteOffset: Self.scopeOffset, as: UInt32.self)
        }
    }

    func scoped(to interface: UInt32) -> SocketAddress {
        guard case .v6(let v6) = self else { return self }
        var address = v6.address
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: interface, toByteOffset: Self.scopeOffset, as: UInt32.self)
        }
        return SocketAddress(address, host: "")
    }

    /// Empty for IPv4.
    var ipv6Bytes: [UInt8] {
        guard case .v6 = self else { return [] }
        return withSockAddr { pointer, length in Array(UnsafeRawBufferPointer(start: pointer, count: length)[8..<24]) }
    }
}
