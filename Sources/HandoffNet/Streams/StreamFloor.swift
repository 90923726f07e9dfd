// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import NIOCore
internal import NIOPosix

/// The lowest handler of a stream's connection, below TLS.
///
/// What closes from above waits here until all that was written before is with the kernel: a channel that closes throws
/// away what is queued, and NIOSSL closes it as soon as both sides have said goodbye. And from here a connection can be
/// cut without a goodbye.
///
/// A channel that is told that the other kernel sends no more reads all that is still there at once, however much its owner
/// wants. So between devices, where a goodbye says the end, the kernel is not asked to say it too; and who says goodbye last
/// leaves it to the other to close, who does when it has read all.
final class StreamFloor: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long the other device may take to close.
    static let patience: TimeAmount = .seconds(10)

    private let saysGoodbye: Bool
    private var context: ChannelHandlerContext?
    /// The other device has said goodbye, and closes when it has read ours.
    var leavesClosing = false
    private var hasInputEnded = false
    private var closing: Scheduled<Void>?

    /// `saysGoodbye`: there is TLS above.
    init(saysGoodbye: Bool) { self.saysGoodbye = saysGoodbye }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        closing?.cancel()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else { return context.close(mode: mode, promise: promise) }
        // An empty write is done when all before it are with the kernel.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            guard saysGoodbye, case .success = result, mode == .output || waitsForTheOther() else {
                return context.close(mode: mode, promise: promise)
            }
            promise?.succeed()
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    private func waitsForTheOther() -> Bool {
        guard leavesClosing, !hasInputEnded, let context else { return false }
        if closing == nil {
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in
                self?.context?.close(mode: .all, promise: nil)
            }
        }
        return true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard event as? ChannelEvent == .inputClosed else { return }
        hasInputEnded = true
        if closing != nil { context.close(mode: .all, promise: nil) }
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
