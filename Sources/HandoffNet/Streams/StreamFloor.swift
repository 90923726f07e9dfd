// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import NIOCore
internal import NIOPosix

/// The lowest handler, below TLS. Can cut a connection without a goodbye.
///
/// Delays a close until the kernel has all written bytes: a closing channel discards its queue, and NIOSSL closes it
/// once both sides have said goodbye.
///
/// When the peer's kernel shuts down its output, the channel reads everything left at once, however little its owner
/// wants. So between devices only TLS's goodbye marks the end, and the side that says it last leaves the close to the
/// other, which first reads everything.
final class StreamFloor: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let patience: TimeAmount = .seconds(10)

    private let saysGoodbye: Bool
    private var context: ChannelHandlerContext?
    /// The other device has said goodbye, and closes when it has read ours.
    var leavesClosing = false
    private var hasInputEnded = false
    private var closing: Scheduled<Void>?

    init(saysGoodbye: Bool) { self.saysGoodbye = saysGoodbye }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        closing?.cancel()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else { return context.close(mode: mode, promise: promise) }
        // An empty write completes once the kernel has all earlier ones.
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

    /// Discards queued bytes without a goodbye; another device gets a reset. Later, because a write to one channel may
    /// fail while another one reads, and NIO reports the end of a read before the end of the channel.
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
