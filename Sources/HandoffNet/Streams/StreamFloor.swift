// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore
internal import NIOPosix

/// The lowest handler of a stream's connection, below TLS.
///
/// What closes from above waits here until all that was written before is with the kernel: a channel that closes throws
/// away what is queued, and NIOSSL closes it as soon as both sides have said goodbye. And from here a connection can be
/// cut without a goodbye.
final class StreamFloor: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else { return context.close(mode: mode, promise: promise) }
        // An empty write is done when all before it are with the kernel.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    /// Ends the connection: what is queued, here and in the kernel, is lost, and TLS says nothing. To another device the
    /// kernel sends a reset. Soon, not within this call: what is written to one channel may break in the middle of what
    /// another one reads, and NIO has the end of a read come before the end of the channel.
    func cut() {
        guard let loop = context?.eventLoop else { return }
        loop.assumeIsolated().execute { [self] in cutNow() }
    }

    private func cutNow() {
        guard let context else { return }
        try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            try OwnedDescriptor.set($0, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        }
        context.close(mode: .all, promise: nil)
    }
}
