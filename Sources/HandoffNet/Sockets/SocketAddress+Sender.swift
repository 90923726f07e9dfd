// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import NIOCore

extension SocketAddress {
    /// What one sender can be held to: its IPv4 address; its IPv6 network of 64 bits, in which it may choose addresses
    /// at will; its whole link-local address, for there the network is the same for all.
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
