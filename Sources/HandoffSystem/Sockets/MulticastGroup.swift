// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// NIO refuses the loopback interface, which has no multicast flag.
package struct MulticastGroup: Sendable {
    package let address: String

    package init(_ address: String) { self.address = address }

    package var isIPv4: Bool { !address.contains(":") }

    /// Glibc's headers hide them from Swift.
    private enum Option {
        static let joinGroup6: CInt = 20
        static let leaveGroup6: CInt = 21
    }

    /// Throws `EADDRINUSE` if the socket is a member already, and `ENOBUFS` or `ENOMEM` at the kernel's limit.
    package func setMembership(of descriptor: CInt, on interface: UInt32, _ joins: Bool) throws(SystemError) {
        guard isIPv4 else {
            // struct ipv6_mreq: the group's 16 bytes, then the interface.
            var request: (group: (UInt64, UInt64), interface: UInt32) = ((0, 0), interface)
            inet_pton(AF_INET6, address, &request.group)
            let option = joins ? Option.joinGroup6 : Option.leaveGroup6
            return try OwnedDescriptor.set(descriptor, CInt(IPPROTO_IPV6), option, request)
        }
        var request = ip_mreqn()
        request.imr_ifindex = CInt(interface)
        inet_pton(AF_INET, address, &request.imr_multiaddr)
        let option = joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP
        try OwnedDescriptor.set(descriptor, CInt(IPPROTO_IP), option, request)
    }

    /// For sending to groups. Otherwise, the default route chooses the interface.
    package func setInterface(of descriptor: CInt, to interface: NetworkInterface) throws(SystemError) {
        guard isIPv4 else {
            return try OwnedDescriptor.set(
                descriptor, CInt(IPPROTO_IPV6), IPV6_MULTICAST_IF, CInt(interface.index))
        }
        var choice = ip_mreqn()
        choice.imr_ifindex = CInt(interface.index)
        // Otherwise, a datagram on loopback has another interface's address.
        inet_pton(AF_INET, interface.ipv4.min() ?? "", &choice.imr_address)
        try OwnedDescriptor.set(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, choice)
    }
}
