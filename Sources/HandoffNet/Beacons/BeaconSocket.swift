// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire
internal import NIOCore
internal import NIOPosix

/// An ear is bound to the group's port, which a machine's daemons share; a voice to its own, so that an answer reaches
/// the daemon that asked.
final class BeaconSocket {
    enum Family: CaseIterable {
        case ipv4
        case ipv6

        static func of(_ address: SocketAddress) -> Family {
            if case .v4 = address { .ipv4 } else { .ipv6 }
        }

        fileprivate var number: Int32 { self == .ipv4 ? AF_INET : AF_INET6 }
        fileprivate var any: String { self == .ipv4 ? "0.0.0.0" : "::" }
        var group: MulticastGroup { MulticastGroup(self == .ipv4 ? BeaconGroup.ipv4 : BeaconGroup.ipv6) }
    }

    /// Glibc's headers hide them from Swift.
    private enum Option {
        static let multicastAll4: Int32 = 49
        static let multicastAll6: Int32 = 29
    }

    /// Then the loop turns to other work: a flood must not block it.
    private static let datagramsPerTick: UInt = 16

    let family: Family
    let port: UInt16
    private let descriptor: Int32
    private let received: ([UInt8], SocketAddress) -> Void
    private var channel: (any Channel)?
    /// Then `descriptor` must not be used: its number may be reused.
    private var isClosed = false

    static func ear(
        _ family: Family, port: UInt16, on loop: any EventLoop, received: @escaping ([UInt8], SocketAddress) -> Void
    ) throws(SystemError) -> BeaconSocket {
        let socket = try OwnedDescriptor.socket(family.number, SOCK_DGRAM)
        try socket.set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        switch family {
        case .ipv4:
            // Otherwise it would receive for other programs' groups.
            try socket.set(Int32(IPPROTO_IP), Option.multicastAll4, Int32(0))
            try socket.bind(to: SocketAddress.of(family.group.address, port: port))
        case .ipv6:
            try socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1))
            try? socket.set(Int32(IPPROTO_IPV6), Option.multicastAll6, Int32(0))
            try socket.bind(to: SocketAddress.of(family.any, port: port))
        }
        return BeaconSocket(family, socket, loop, received)
    }

    /// Prefers `port`, because firewalls can be configured for it.
    static func voice(
        _ family: Family, port: UInt16, on loop: any EventLoop, received: @escaping ([UInt8], SocketAddress) -> Void
    ) throws(SystemError) -> BeaconSocket {
        func open(_ port: UInt16) throws(SystemError) -> BeaconSocket {
            let socket = try OwnedDescriptor.socket(family.number, SOCK_DGRAM)
            if family == .ipv6 { try socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1)) }
            try socket.bind(to: SocketAddress.of(family.any, port: port))
            return BeaconSocket(family, socket, loop, received)
        }
        do throws(SystemError) { return try open(port) } catch { return try open(0) }
    }

    private init(
        _ family: Family, _ socket: consuming OwnedDescriptor, _ loop: any EventLoop,
        _ received: @escaping ([UInt8], SocketAddress) -> Void
    ) {
        self.family = family
        port = socket.localPort
        self.received = received
        descriptor = socket.give()
        let bound = NIOLoopBound(self, eventLoop: loop)
        DatagramBootstrap(group: loop)
            .channelOption(.maxMessagesPerRead, value: Self.datagramsPerTick)
            // One extra byte reveals an excess.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Limits.beaconBytes + 1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BeaconReader(socket: bound.value))
                }
            }
            .withBoundSocket(descriptor)
            .assumeIsolated()
            .whenComplete { result in self.opened(result) }
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        switch result {
        case .failure: isClosed = true
        case .success(let channel):
            if isClosed { channel.close(promise: nil) } else { self.channel = channel }
        }
    }

    func close() {
        isClosed = true
        channel?.close(promise: nil)
        channel = nil
    }

    // MARK: Receiving

    /// Throws `ENOBUFS` or `ENOMEM` at the kernel's limit.
    func join(_ interface: UInt32) throws(SystemError) {
        guard !isClosed else { throw SystemError(EBADF, "beacons") }
        do throws(SystemError) { try family.group.setMembership(of: descriptor, on: interface, true) } catch {
            guard error.code == EADDRINUSE else { throw error }
        }
    }

    /// Ignores a refusal: the interface is gone, and the membership with it.
    func leave(_ interface: UInt32) {
        if !isClosed { try? family.group.setMembership(of: descriptor, on: interface, false) }
    }

    fileprivate func read(_ datagram: ByteBuffer, from address: SocketAddress) {
        guard !isClosed, datagram.readableBytes <= Limits.beaconBytes else { return }
        received(Array(datagram.readableBytesView), address)
    }

    // MARK: Sending

    /// Never blocks; may drop the datagram.
    func broadcast(_ datagram: [UInt8], port: UInt16, interface: NetworkInterface) {
        guard !isClosed, case let group = SocketAddress.of(family.group.address, port: port) else { return }
        switch group {
        case .v4:
            guard (try? family.group.setInterface(of: descriptor, to: interface)) != nil else { return }
            send(datagram, to: group)
        case .v6: send(datagram, to: group.scoped(to: interface.index))
        case .unixDomainSocket: break
        }
    }

    func send(_ datagram: [UInt8], to address: SocketAddress) {
        guard !isClosed else { return }
        _ = address.withSockAddr { pointer, length in
            sendto(descriptor, datagram, datagram.count, 0, pointer, socklen_t(length))
        }
    }
}

private final class BeaconReader: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    private let socket: BeaconSocket

    init(socket: BeaconSocket) { self.socket = socket }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        socket.read(envelope.data, from: envelope.remoteAddress)
    }

    /// The socket stays usable after a refused datagram.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension SocketAddress {
    fileprivate static func of(_ address: String, port: UInt16) -> SocketAddress {
        do { return try SocketAddress(ipAddress: address, port: Int(port)) } catch {
            preconditionFailure("\(address) is an address")
        }
    }
}

extension NetworkInterface {
    /// Loopback lacks the flag.
    func carries(_ family: BeaconSocket.Family) -> Bool {
        guard hasMulticast || isLoopback else { return false }
        return
            switch family
        {
        case .ipv4: !ipv4.isEmpty
        case .ipv6: !ipv6.isEmpty
        }
    }
}
