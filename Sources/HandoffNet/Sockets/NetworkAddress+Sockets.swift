// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import NIOCore

extension NetworkAddress {
    /// Of an IPv4 or IPv6 address; nil for a Unix one. An IPv4 address within IPv6 comes out as IPv4; a link-local one
    /// keeps its interface, without which nobody could dial it.
    init?(_ address: SocketAddress) {
        guard var host = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
        if host.hasPrefix("::ffff:"), host.contains(".") { host = String(host.dropFirst(7)) }
        if address.scope != 0, host.hasPrefix("fe80:") { host += "%" + InterfaceName.of(index: address.scope) }
        self.init(host: host, port: port)
    }

    /// Nil for a host name, and for an interface that is not there.
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

/// Interfaces have names for people and numbers for sockets.
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
