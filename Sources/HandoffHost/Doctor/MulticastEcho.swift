// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem

/// Whether a datagram to the beacons' group returns to this machine, as the kernel delivers it to each member: a firewall that
/// drops beacons drops it too. Needs no rights.
struct MulticastEcho {
    /// Until it must have returned, milliseconds.
    static let patience: CInt = 300

    /// Nil: it cannot be sent.
    static func returns(on interface: NetworkInterface) -> Bool? {
        let isIPv4 = !interface.ipv4.isEmpty
        guard let ear = Endpoint(isIPv4: isIPv4), let voice = Endpoint(isIPv4: isIPv4),
            ear.join(interface.index), voice.choose(interface)
        else { return nil }
        let text = Array("handoff doctor \(UInt64.random(in: .min ... .max))".utf8)
        guard voice.send(text) else { return nil }
        let deadline = ContinuousClock.now + .milliseconds(Int(patience))
        while case let left = ContinuousClock.now.duration(to: deadline).pollMilliseconds, left > 0 {
            guard let heard = ear.receive(within: left) else { return false }
            if heard == text { return true }
        }
        return false
    }

    private struct Endpoint: ~Copyable {
        let descriptor: CInt
        let isIPv4: Bool

        init?(isIPv4: Bool) {
            self.isIPv4 = isIPv4
            descriptor = socket(
                isIPv4 ? AF_INET : AF_INET6, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                0)
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        /// Beside the daemon, which has the port, too.
        func join(_ index: UInt32) -> Bool {
            guard set(SOL_SOCKET, SO_REUSEADDR, CInt(1)) else { return false }
            if isIPv4 {
                var request = ip_mreqn()
                request.imr_ifindex = CInt(index)
                inet_pton(AF_INET, BeaconGroup.ipv4, &request.imr_multiaddr)
                return bind() && set(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, request)
            }
            // struct ipv6_mreq: the group's 16 bytes, then the interface.
            var request: (group: (UInt64, UInt64), interface: UInt32) = ((0, 0), index)
            inet_pton(AF_INET6, BeaconGroup.ipv6, &request)
            let joinGroup: CInt = 20
            return set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, CInt(1)) && bind(index)
                && set(CInt(IPPROTO_IPV6), joinGroup, request)
        }

        func choose(_ interface: NetworkInterface) -> Bool {
            if isIPv4 {
                var choice = ip_mreqn()
                choice.imr_ifindex = CInt(interface.index)
                inet_pton(AF_INET, interface.ipv4.min() ?? "", &choice.imr_address)
                return set(CInt(IPPROTO_IP), IP_MULTICAST_IF, choice)
            }
            return set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_IF, CInt(interface.index))
        }

        private func set<Value: BitwiseCopyable>(_ level: CInt, _ option: CInt, _ value: Value) -> Bool {
            withUnsafeBytes(of: value) {
                setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) == 0
            }
        }

        private func bind(_ index: UInt32 = 0) -> Bool { withGroup(index) { Glibc.bind(descriptor, $0, $1) == 0 } }

        func send(_ bytes: [UInt8]) -> Bool {
            withGroup { sendto(descriptor, bytes, bytes.count, 0, $0, $1) == bytes.count }
        }

        private func withGroup<Result>(
            _ index: UInt32 = 0, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            func call<Address>(_ address: Address) -> Result {
                withUnsafePointer(to: address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        body($0, socklen_t(MemoryLayout<Address>.size))
                    }
                }
            }
            if isIPv4 {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = BeaconGroup.port.bigEndian
                inet_pton(AF_INET, BeaconGroup.ipv4, &address.sin_addr)
                return call(address)
            }
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = BeaconGroup.port.bigEndian
            address.sin6_scope_id = index
            inet_pton(AF_INET6, BeaconGroup.ipv6, &address.sin6_addr)
            return call(address)
        }

        func receive(within milliseconds: CInt) -> [UInt8]? {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard retrying({ poll(&poller, 1, milliseconds) }) == 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 2048)
            let count = retrying { recv(descriptor, &buffer, buffer.count, 0) }
            return count < 0 ? nil : Array(buffer[..<count])
        }
    }
}
