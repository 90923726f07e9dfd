// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import NIOCore

extension NetworkAddress {
    /// Nil for a Unix address. An IPv4-mapped address becomes IPv4. A link-local address keeps its interface, for
    /// dialling.
    init?(_ address: SocketAddress) {
        guard var host = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
        if host.hasPrefix("::ffff:"), host.contains(".") { host = String(host.dropFirst(7)) }
        if address.scope != 0, host.hasPrefix("fe80:") { host += "%" + InterfaceName.of(index: address.scope) }
        self.init(host: host, port: port)
    }

    /// Nil for a host name or a missing interface.
    var socketAddress: SocketAddress? {
        let parts = host.split(separator: "%", maxSplits: 1)
        guard let numeric = parts.first, let plain = try? SocketAddress(ipAddress: String(numeric), port: Int(port))
        else {
            return nil
        }
        guard parts.count == 2 else { return plain }
        guard case .v6 = plain, let index = InterfaceName.index(of: String(parts[1])) else { return nil }
        return plain.scoped(to: index)
    }
}

enum InterfaceName {
    static func of(index: UInt32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { name in
            guard if_indextoname(index, name.baseAddress) != nil else { return String(index) }
            return String(cString: name.baseAddress!)
        }
    }

    static func index(of name: String) -> UInt32? {
        let index = if_nametoindex(name)
        return index != 0 ? index : UInt32(name)
    }
}

extension SocketAddress {
    /// The unit of a sender's limits: its IPv4 address, or its IPv6 /64 network, whose addresses it can choose; the
    /// whole address in the shared link-local network.
    var senderNetwork: String {
        switch self {
        case .unixDomainSocket: return ""
        case .v4: return ipAddress ?? ""
        case .v6:
            let text = ipAddress ?? ""
            if text.hasPrefix("fe80:") || text.hasPrefix("::ffff:") { return text }
            return ipv6Bytes.prefix(8).hexadecimal
        }
    }
}

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

extension OwnedDescriptor {
    func bind(to address: SocketAddress) throws(SystemError) {
        let result = address.withSockAddr { pointer, length in Glibc.bind(number, pointer, socklen_t(length)) }
        guard result == 0 else { throw SystemError("bind") }
    }
}
