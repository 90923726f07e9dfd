// SPDX-License-Identifier: Apache-2.0

package enum LocalHosts {
    private enum Rank: Int {
        /// A default route uses it.
        case outward
        case other
        /// It connects programs on this machine, or nothing.
        case guests
        case loopback
    }

    /// A person must choose one to type, and a machine with containers has dozens.
    static let most = 8

    /// Software switches and virtual cables.
    private static let guestDrivers: Set = ["bridge", "veth", "dummy", "openvswitch"]

    package static var haveIPv6: Bool { NetworkInterface.usable(withLoopback: true).contains { !$0.ipv6.isEmpty } }

    /// Numeric, most useful first: interfaces with a default route, then others, then those for containers. Link-local
    /// addresses are omitted, because they mean nothing on another machine. Loopback addresses are last.
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
