// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

enum PeerSocketOptions {
    /// Bytes. Fits the smallest IPv6 packet, 1280 bytes, because many tunnels drop larger packets, and firewalls the
    /// ICMP messages about it.
    static let segment: Int32 = 1220
    /// Seconds until a probe. The kernel sends them, so the daemon stays asleep.
    static let keepaliveIdle: Int = 4
    static let keepaliveInterval: Int = 3
    static let keepaliveProbes: Int = 3
    /// Milliseconds without an acknowledgement until the host is gone. With keepalive, well within 15 s.
    static let userTimeout: Int = 10_000
    static let userTimeoutOption = ChannelOptions.Types.SocketOption(
        level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))

    private static let keepaliveOption = ChannelOptions.Types.SocketOption(level: .socket, name: .so_keepalive)

    typealias Setting = (option: ChannelOptions.Types.SocketOption, value: Int)
    static let all: [Setting] =
        [
            (.init(level: .tcp, name: .tcp_nodelay), 1),
            (.init(level: .tcp, name: .init(rawValue: TCP_MAXSEG)), Int(segment)),
            (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), keepaliveIdle),
            (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), keepaliveInterval),
            (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), keepaliveProbes),
        ] + limits

    static let limits: [Setting] = [(keepaliveOption, 1), (userTimeoutOption, userTimeout)]
    /// While a stream with that device moves: its bytes may delay the session's for longer than the limits. The
    /// daemon's pings remain.
    static let withoutLimits: [Setting] = [(keepaliveOption, 0), (userTimeoutOption, 0)]
    /// After the stream's last bytes: lost segments of the session are repeated ever less often.
    static let limitsSuspended: TimeAmount = .seconds(30)
}
