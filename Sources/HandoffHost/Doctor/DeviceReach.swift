// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
package import HandoffCore
internal import HandoffSystem

/// Calls the last addresses of devices over TCP, all at once.
package enum DeviceReach {
    /// The kernel gives up after 3 s if no machine on this network has the address.
    package static let patience = Duration.seconds(4)

    /// In the order of the addresses. Nil for a host name, which is not looked up.
    package static func of(_ addresses: [NetworkAddress]) -> [Observations.Reach?] {
        Neighbours().callGateways()
        let calls = addresses.map(Call.init)
        let deadline = ContinuousClock.now + patience
        while case let left = ContinuousClock.now.duration(to: deadline).pollMilliseconds, left > 0 {
            var pollers = calls.compactMap(\.poller)
            guard !pollers.isEmpty else { break }
            guard retrying({ poll(&pollers, nfds_t(pollers.count), left) }) > 0 else { break }
            for poller in pollers where poller.revents != 0 { calls.first { $0.descriptor == poller.fd }?.end() }
        }
        return calls.map(\.reach)
    }

    private final class Call {
        private let host: String
        private(set) var descriptor: CInt = -1
        /// `errno`; 0: connected. Nil: under way.
        private var code: CInt?
        private let isNumeric: Bool

        init(_ address: NetworkAddress) {
            host = address.host
            var hints = addrinfo()
            hints.ai_flags = AI_NUMERICHOST
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
            var list: UnsafeMutablePointer<addrinfo>?
            isNumeric = getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0
            guard isNumeric, let found = list?.pointee else { return }
            defer { freeaddrinfo(list) }
            descriptor = socket(
                found.ai_family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            let result = connect(descriptor, found.ai_addr, found.ai_addrlen)
            code = result == 0 ? 0 : errno == EINPROGRESS ? nil : errno
        }

        deinit { close(descriptor) }

        var poller: pollfd? {
            isNumeric && code == nil ? pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0) : nil
        }

        func end() {
            var size = socklen_t(MemoryLayout<CInt>.size)
            var problem: CInt = 0
            code = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 ? problem : errno
        }

        var reach: Observations.Reach? {
            guard isNumeric else { return nil }
            switch code {
            case 0: return .answers
            case ECONNREFUSED: return .refuses
            case ENETUNREACH: return .noRoute
            case nil, EHOSTUNREACH, ETIMEDOUT:
                let neighbours = Neighbours()
                return neighbours.isMissing(host) ? .notOnLink(gateway: neighbours.haveGateway) : .silent
            default: return .silent
            }
        }
    }
}

/// The kernel's table of IPv4 addresses on this network, and its default routes.
struct Neighbours {
    /// By address: whether its machine answered.
    private var answered: [String: Bool] = [:]
    private var gateways: Set<String> = []

    init(arp: String? = Self.read("/proc/net/arp"), routes: String? = Self.read("/proc/net/route")) {
        for line in (arp ?? "").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 3, let flags = UInt32(fields[2].dropFirst(2), radix: 16) else { continue }
            let isComplete: UInt32 = 2
            answered[String(fields[0])] = flags & isComplete != 0
        }
        for line in (routes ?? "").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t")
            guard fields.count >= 3, fields[1] == "00000000", let gateway = UInt32(fields[2], radix: 16), gateway != 0
            else {
                continue
            }
            gateways.insert((0..<4).map { "\(gateway >> ($0 * 8) & 0xff)" }.joined(separator: "."))
        }
    }

    /// True if this machine asked for the address on this network, and no machine answered.
    func isMissing(_ host: String) -> Bool { answered[host] == false }
    var haveGateway: Bool { gateways.contains { answered[$0] == true } }

    /// So that the kernel looks for them; its answer is known when a call has failed.
    func callGateways() {
        let discard: UInt16 = 9
        for gateway in gateways {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = discard.bigEndian
            inet_pton(AF_INET, gateway, &address.sin_addr)
            let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = sendto(descriptor, "?", 1, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
