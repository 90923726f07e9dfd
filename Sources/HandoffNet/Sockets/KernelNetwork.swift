// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import NIOCore

enum KernelNetwork {
    /// Unused addresses that only default routes reach.
    static let anywhere = ["192.0.2.1", "2001:db8::1"]

    /// For datagrams to `host`; nil without a route.
    static func source(toward host: String) -> String? {
        guard let address = NetworkAddress(host: host, port: 9).socketAddress else { return nil }
        let family = BeaconSocket.Family.of(address) == .ipv4 ? AF_INET : AF_INET6
        guard let socket = try? OwnedDescriptor.socket(family, SOCK_DGRAM),
            address.withSockAddr({ connect(socket.number, $0, socklen_t($1)) }) == 0
        else { return nil }
        return socket.localHost
    }

    /// Such as `bridge`, `veth` or `wireguard`; empty if unknown.
    static func driver(of interface: String) -> String {
        guard let socket = try? OwnedDescriptor.socket(AF_INET, SOCK_DGRAM) else { return "" }
        let (ethtool, getDriver): (UInt, UInt8) = (0x8946, 3)
        // struct ethtool_drvinfo: the command, then 32 bytes of the driver's name; 196 in all.
        var answer = [getDriver] + [UInt8](repeating: 0, count: 255)
        // struct ifreq: 16 bytes of the interface's name, then a pointer.
        var request = [UInt8](interface.utf8.prefix(15))
        request += [UInt8](repeating: 0, count: 40 - request.count)
        let isAnswered = answer.withUnsafeMutableBytes { answer in
            request.withUnsafeMutableBytes { request in
                request.storeBytes(of: UInt(bitPattern: answer.baseAddress), toByteOffset: 16, as: UInt.self)
                return ioctl(socket.number, ethtool, request.baseAddress!) == 0
            }
        }
        return isAnswered ? String(decoding: answer[4..<36].prefix { $0 != 0 }, as: UTF8.self) : ""
    }
}

package enum LocalHosts {
    private enum Rank: Int {
        /// Has a default route.
        case outward
        case other
        /// Connects programs on this machine, or nothing.
        case guests
        case loopback
    }

    /// A machine with containers has dozens.
    static let most = 8

    /// Software switches and virtual cables.
    private static let guestDrivers: Set = ["bridge", "veth", "dummy", "openvswitch"]

    package static var haveIPv6: Bool { NetworkInterface.usable(withLoopback: true).contains { !$0.ipv6.isEmpty } }

    /// Numeric: with a default route, others, for containers, loopback. Not link-local, which means nothing on another
    /// machine.
    package static func all(withLoopback: Bool) -> [String] {
        let outward = Set(KernelNetwork.anywhere.compactMap(KernelNetwork.source))
        let interfaces = NetworkInterface.usable(withLoopback: withLoopback)
        let ranked = Dictionary(grouping: interfaces) { rank($0, outward).rawValue }
        let hosts = ranked.sorted { $0.key < $1.key }.flatMap { _, group in
            group.flatMap { $0.ipv4.sorted() }
                + group.flatMap { $0.ipv6.sorted() }.filter { !$0.hasPrefix("fe80:") }
        }
        return Array(hosts.prefix(most))
    }

    private static func rank(_ interface: NetworkInterface, _ outward: Set<String>) -> Rank {
        if interface.isLoopback { return .loopback }
        if outward.contains(where: interface.has) { return .outward }
        let isForGuests = !interface.isRunning || guestDrivers.contains(KernelNetwork.driver(of: interface.name))
        return isForGuests ? .guests : .other
    }
}
