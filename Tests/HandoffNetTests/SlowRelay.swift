// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import NIOCore
import NIOPosix

@testable import HandoffNet

/// Uses a different source address for each connection. To simulate a long distance, the first bytes from there, a
/// challenge, wait for other events.
final class SlowRelay: Sendable {
    let address: NetworkAddress
    private let server: any Channel

    init(
        to target: NetworkAddress, on loop: any EventLoop, meanwhile: @escaping @Sendable () -> EventLoopFuture<Void>
    ) async throws {
        let there = target.socketAddress!
        let passed = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
        server = try await ServerBootstrap(group: loop, childGroup: loop)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { near in
                near.eventLoop.makeCompletedFuture {
                    passed.value += 1
                    let source = try SocketAddress(ipAddress: "127.0.8.\(passed.value)", port: 0)
                    ClientBootstrap(group: loop)
                        .channelInitializer { far in
                            far.eventLoop.makeCompletedFuture {
                                try far.pipeline.syncOperations.addHandler(Passing(to: near, after: meanwhile))
                            }
                        }
                        .bind(to: source).connect(to: there).assumeIsolated().whenComplete { result in
                            guard let far = try? result.get() else { return near.close(promise: nil) }
                            try? near.pipeline.syncOperations.addHandler(Passing(to: far, after: nil))
                            near.setOption(.autoRead, value: true).whenSuccess { near.read() }
                        }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        address = NetworkAddress(server.localAddress!)!
    }

    func stop() { server.close(promise: nil) }

    private final class Passing: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let other: any Channel
        private var meanwhile: (@Sendable () -> EventLoopFuture<Void>)?

        init(to other: any Channel, after meanwhile: (@Sendable () -> EventLoopFuture<Void>)?) {
            self.other = other
            self.meanwhile = meanwhile
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            let (other, wait) = (other, meanwhile)
            meanwhile = nil
            guard let wait else { return other.writeAndFlush(bytes, promise: nil) }
            wait().whenComplete { _ in other.writeAndFlush(bytes, promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    }
}

/// They have many addresses of this machine, and stay until the other side ends them.
final class SilentCrowd: Sendable {
    private let loop: any EventLoop
    private let channels: NIOLoopBoundBox<[any Channel]>
    private let target: SocketAddress
    private let sources: Int

    init(at address: NetworkAddress, sources: Int, on loop: any EventLoop) {
        self.loop = loop
        target = address.socketAddress!
        self.sources = sources
        channels = NIOLoopBoundBox.makeBoxSendingValue([], eventLoop: loop)
    }

    /// Completes when the other side has accepted or closed each of the new connections.
    func come(_ count: Int) -> EventLoopFuture<Void> {
        // A few at a time, because more than the backlog would be lost or delayed.
        let some = min(count, 20)
        guard some > 0 else { return loop.makeSucceededVoidFuture() }
        let arrivals = (0..<some).map { comeOne(from: (count - $0) % sources) }
        return EventLoopFuture.andAllComplete(arrivals, on: loop).flatMap { self.come(count - some) }
    }

    private func comeOne(from number: Int) -> EventLoopFuture<Void> {
        let channels = channels
        let promise = loop.makePromise(of: Void.self)
        do {
            ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        channels.value.append(channel)
                        try channel.pipeline.syncOperations.addHandler(Silent(promise))
                    }
                }
                .bind(to: try SocketAddress(ipAddress: "127.0.9.\(1 + number)", port: 0))
                .connect(to: target).whenFailure { promise.fail($0) }
        } catch {
            promise.fail(error)
        }
        return promise.futureResult
    }

    func leave() {
        let channels = channels
        loop.execute { for channel in channels.value { channel.close(promise: nil) } }
    }

    private final class Silent: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let promise: EventLoopPromise<Void>
        init(_ promise: EventLoopPromise<Void>) { self.promise = promise }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed() }
        func channelInactive(context: ChannelHandlerContext) { promise.succeed() }
    }
}
