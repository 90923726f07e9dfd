// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem

package enum DeviceReach {
    /// The kernel gives up after 3 s if no machine on this network has the address.
    package static let patience = Duration.seconds(4)

    /// In the order of the addresses. Nil for a host name, which is not looked up.
    package static func of(_ addresses: [NetworkAddress]) -> [Answer?] {
        Neighbours().callGateways()
        let calls = addresses.map(Call.init)
        let deadline = ContinuousClock.now + patience
        while case let left = ContinuousClock.now.duration(to: deadline).pollMilliseconds, left > 0 {
            var pollers = calls.compactMap { $0?.poller }
            guard !pollers.isEmpty else { break }
            guard retrying({ poll(&pollers, nfds_t(pollers.count), left) }) > 0 else { break }
            for poller in pollers where poller.revents != 0 { calls.first { $0?.poller?.fd == poller.fd }??.end() }
        }
        let neighbours = Neighbours()
        let tunnels = NetworkInterface.usable(withLoopback: false).filter(\.isPointToPoint)
        return calls.map { call in
            guard let call else { return nil }
            return Answer(
                reach: call.reach(neighbours),
                tunnel: call.source.flatMap { source in tunnels.first { $0.has(source) }?.name })
        }
    }

    package struct Answer: Equatable {
        package let reach: Observations.Reach
        /// The interface of the route, if it is a tunnel.
        package let tunnel: String?
    }

    private final class Call {
        private let host: String
        private let socket: OwnedDescriptor
        /// This machine's address on the way there.
        let source: String?
        /// `errno`; 0: connected. Nil: under way.
        private var code: CInt?

        init?(_ address: NetworkAddress) {
            guard let numeric = InternetAddress(host: address.host, port: address.port),
                let socket = try? OwnedDescriptor.socket(numeric.family, SOCK_STREAM)
            else { return nil }
            host = address.host
            let number = socket.number
            let result = numeric.withSocketAddress { connect(number, $0, $1) }
            code = result == 0 ? 0 : errno == EINPROGRESS ? nil : errno
            source = socket.localHost
            self.socket = socket
        }

        var poller: pollfd? { code == nil ? pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0) : nil }

        func end() {
            var size = socklen_t(MemoryLayout<CInt>.size)
            var problem: CInt = 0
            code = getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 ? problem : errno
        }

        func reach(_ neighbours: Neighbours) -> Observations.Reach {
            switch code {
            case 0: .answers
            case ECONNREFUSED: .refuses
            case ENETUNREACH: .noRoute
            case nil, EHOSTUNREACH, ETIMEDOUT:
                neighbours.isMissing(host) ? .notOnLink(gateway: neighbours.haveGateway) : .silent
            default: .silent
            }
        }
    }
}
