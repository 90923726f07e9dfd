// SPDX-License-Identifier: Apache-2.0

/// Under which addresses other devices may reach this one.
package enum LocalHosts {
    /// How likely an interface leads to another device.
    private enum Rank: Int {
        /// A default route leads through it.
        case outward
        case other
        /// Leads to programs on this machine, or nowhere.
        case guests
        case loopback
    }

    /// A person has to choose one to type, and a machine with containers has dozens.
    static let most = 8

    /// Software switches and their cables. A machine with containers has dozens.
    private static let guestDrivers: Set = ["bridge", "veth", "dummy", "openvswitch"]

    /// Loopback and link-local addresses included.
    package static var haveIPv6: Bool { NetworkInterface.usable(withLoopback: true).contains { !$0.ipv6.isEmpty } }

    /// Numeric, the most useful ones first: of the interfaces with a default route, of others, of those for containers.
    /// Link-local ones are left out: they mean nothing on another machine. The loopback ones only if asked for, and last.
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
