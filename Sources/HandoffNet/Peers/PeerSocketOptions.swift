// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore

enum PeerSocketOptions {
    /// Seconds until a probe. The kernel sends them, so the daemon stays asleep.
    static let keepaliveIdle: Int = 4
    static let keepaliveInterval: Int = 3
    static let keepaliveProbes: Int = 3
    /// Milliseconds without an acknowledgement until the host is gone. With keepalive, well within 15 s.
    static let userTimeout: Int = 10_000
    static let userTimeoutOption = ChannelOptions.Types.SocketOption(
        level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))

    static let all: [(option: ChannelOptions.Types.SocketOption, value: Int)] = [
        (.init(level: .tcp, name: .tcp_nodelay), 1),
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), keepaliveIdle),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), keepaliveInterval),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), keepaliveProbes),
        (userTimeoutOption, userTimeout),
    ]
}
