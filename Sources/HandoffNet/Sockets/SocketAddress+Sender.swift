// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import NIOCore

extension SocketAddress {
    /// The unit to which a sender's limits apply: its IPv4 address, or its IPv6 /64 network, in which it can choose
    /// addresses freely. All hosts share the link-local network, so there it is the whole address.
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
