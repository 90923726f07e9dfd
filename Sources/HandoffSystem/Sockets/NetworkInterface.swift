// SPDX-License-Identifier: Apache-2.0

package import Glibc

package struct NetworkInterface: Hashable, Sendable {
    package let index: UInt32
    package let name: String
    package let isLoopback: Bool
    /// False for WireGuard: devices behind it must be dialled.
    package let hasMulticast: Bool
    package let isRunning: Bool
    /// A VPN or another tunnel.
    package let isPointToPoint: Bool
    /// Numeric.
    package private(set) var ipv4: Set<String> = []
    package private(set) var ipv6: Set<String> = []

    package func has(_ address: String) -> Bool { ipv4.contains(address) || ipv6.contains(address) }

    package static func usable(withLoopback: Bool) -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [String: NetworkInterface] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee }) {
            let flags = Flags(rawValue: entry.ifa_flags)
            guard flags.contains(.up), withLoopback || !flags.contains(.loopback) else { continue }
            guard let address = entry.ifa_addr, let text = numeric(address) else { continue }
            let name = String(cString: entry.ifa_name)
            var interface =
                interfaces[name]
                ?? NetworkInterface(
                    index: if_nametoindex(name), name: name, isLoopback: flags.contains(.loopback),
                    hasMulticast: flags.contains(.multicast), isRunning: flags.contains(.running),
                    isPointToPoint: flags.contains(.pointToPoint))
            if address.pointee.sa_family == AF_INET { interface.ipv4.insert(text) } else { interface.ipv6.insert(text) }
            interfaces[name] = interface
        }
        // Zero if it was removed between the two calls.
        return interfaces.values.filter { $0.index != 0 }.sorted { $0.index < $1.index }
    }

    private struct Flags: OptionSet {
        let rawValue: UInt32
        static let up = Flags(rawValue: 1)
        static let loopback = Flags(rawValue: 8)
        static let pointToPoint = Flags(rawValue: 16)
        static let running = Flags(rawValue: 64)
        static let multicast = Flags(rawValue: 4096)
    }

    private init(
        index: UInt32, name: String, isLoopback: Bool, hasMulticast: Bool, isRunning: Bool, isPointToPoint: Bool
    ) {
        self.index = index
        self.name = name
        self.isLoopback = isLoopback
        self.hasMulticast = hasMulticast
        self.isRunning = isRunning
        self.isPointToPoint = isPointToPoint
    }

    package static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let result = getnameinfo(
                address, socklen_t(length), text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard result == 0 else { return nil }
            return String(String(cString: text.baseAddress!).prefix { $0 != "%" })
        }
    }
}
