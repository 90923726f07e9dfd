// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import Logging
internal import NIOCore
internal import NIOPosix

/// Links, addresses and routes, by netlink.
final class InterfaceWatch {
    enum News: Hashable {
        case changed
        /// An IPv6 link-local address became usable, a second after it was listed.
        case linkLocalReady(UInt32)
        case routes
    }

    private static let netlinkRoute: Int32 = 0
    /// A link that starts causes half a dozen changes.
    private static let settling: TimeAmount = .milliseconds(20)

    private let loop: any EventLoop
    private let log: Logger
    private let changed: (Set<News>) -> Void
    private var channel: (any Channel)?
    private var isStopped = false
    private var pending: Set<News> = []

    init(loop: any EventLoop, log: Logger, changed: @escaping (Set<News>) -> Void) {
        self.loop = loop
        self.log = log
        self.changed = changed
    }

    func start() {
        do {
            let socket = try Self.netlinkSocket()
            let bound = NIOLoopBound(self, eventLoop: loop)
            // The buffer must hold the largest datagram.
            NIOPipeBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 * 1024))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NetlinkReader(watch: bound.value))
                    }
                }
                .takingOwnershipOfDescriptor(input: socket.give())
                .assumeIsolated()
                .whenComplete { result in
                    switch result {
                    case .success(let channel): self.opened(channel)
                    case .failure(let error):
                        self.log.warning("Network changes cannot be watched", metadata: ["error": "\(error)"])
                    }
                }
        } catch {
            log.warning("Network changes cannot be watched", metadata: ["error": "\(error)"])
        }
    }

    func stop() {
        isStopped = true
        channel?.close(promise: nil)
        channel = nil
    }

    private func opened(_ channel: any Channel) {
        guard !isStopped else { return channel.close(promise: nil) }
        self.channel = channel
    }

    private static func netlinkSocket() throws(SystemError) -> OwnedDescriptor {
        let socket = try OwnedDescriptor.socket(AF_NETLINK, SOCK_RAW, protocol: netlinkRoute)
        // struct sockaddr_nl, with RTMGRP_LINK, and RTMGRP_…_IFADDR and RTMGRP_…_ROUTE of IPv4 and IPv6.
        let address: (family: UInt16, padding: UInt16, port: UInt32, groups: UInt32) =
            (UInt16(AF_NETLINK), 0, 0, 0x1 | 0x10 | 0x40 | 0x100 | 0x400)
        try socket.bind(toBytesOf: address)
        return socket
    }

    // MARK: News

    fileprivate func received(_ datagram: ByteBuffer) {
        for news in NetlinkMessage.news(in: datagram) { note(news) }
    }

    fileprivate func ended() {
        channel = nil
        guard !isStopped else { return }
        // The socket's buffer overflowed, and any message may be lost.
        start()
        note(.changed)
        note(.routes)
    }

    private func note(_ news: News) {
        if pending.isEmpty { loop.assumeIsolated().scheduleTask(in: Self.settling) { [weak self] in self?.tell() } }
        pending.insert(news)
    }

    private func tell() {
        let news = pending
        pending = []
        if !news.isEmpty, !isStopped { changed(news) }
    }
}

private final class NetlinkReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let watch: InterfaceWatch

    init(watch: InterfaceWatch) { self.watch = watch }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { watch.received(unwrapInboundIn(data)) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    func channelInactive(context: ChannelHandlerContext) { watch.ended() }
}
