// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import Logging
internal import NIOCore

/// The last handler of a connection's pipeline: bytes to frames, frames to bytes, and one end.
///
/// Frames are delivered as they arrive, on the loop. The end is told once, and never from within `send`, `close` or a
/// delivery, so that an owner is not called back while it is in the middle of something.
final class FrameConnection<Frame: FrameCodable>: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    struct Rules {
        /// The first frame is the hello: nothing longer is taken from somebody who has not said it. Bytes.
        var firstFrameBytes = Limits.helloFrameBytes
        var frameBytes = Limits.frameBytes
        /// Who leaves more than this unread is cut off. Bytes.
        var queuedBytes = 4 * 1024 * 1024
        /// After `close`: how long the other side may take to read what was queued.
        var lingering: TimeAmount = .seconds(2)
        /// What an end without a goodbye is called.
        var lost: Failure.Code
    }

    private enum State {
        /// Can transition to: closing, ended.
        case open
        /// What was queued is being sent; nothing is taken any more. Can transition to: ended.
        case closing(deadline: Scheduled<Void>)
        case ended
    }

    let channel: any Channel
    private let rules: Rules
    private let log: Logger
    private var decoder: FrameDecoder
    private var state = State.open
    private var failure: Failure?
    private var received: ((Frame) -> Void)?
    private var ended: ((Failure?) -> Void)?

    init(
        channel: any Channel, rules: Rules, log: Logger, received: @escaping (Frame) -> Void,
        ended: @escaping (Failure?) -> Void
    ) {
        self.channel = channel
        self.rules = rules
        self.log = log
        self.received = received
        self.ended = ended
        decoder = FrameDecoder(limit: rules.firstFrameBytes)
    }

    // MARK: What the owner asks

    func send(_ frame: Frame) {
        guard case .open = state else { return }
        do throws(Failure) {
            write(try body(of: frame))
        } catch {
            log.error("Dropped a frame", metadata: ["code": "\(error.code)", "reason": "\(error.reason)"])
            guard let replacement = frame.replaced(by: error), let body = try? body(of: replacement) else { return }
            write(body)
        }
        if !channel.isWritable, queuedBytes > rules.queuedBytes {
            cut(Failure(.limitReached, "it is not reading its messages"))
        }
    }

    /// Throws `.limitReached`, `.malformed`.
    private func body(of frame: Frame) throws(Failure) -> [UInt8] {
        let body: [UInt8]
        do throws(WireError) {
            body = try frame.encoded()
        } catch {
            throw Failure(error.code == .tooLarge ? .limitReached : .malformed, "it cannot be said: \(error.reason)")
        }
        guard body.count <= rules.frameBytes else {
            throw Failure(
                .limitReached, "it would take \(body.count) bytes, and a frame has at most \(rules.frameBytes)")
        }
        return body
    }

    private func write(_ body: [UInt8]) {
        var buffer = channel.allocator.buffer(capacity: FrameHeader.byteCount + body.count)
        buffer.writeInteger(UInt32(body.count))
        buffer.writeBytes(body)
        channel.writeAndFlush(buffer, promise: nil)
    }

    /// Sends what was queued, then closes.
    func close() {
        guard case .open = state else { return }
        let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: rules.lingering) { [weak self] in
            guard let self else { return }
            self.shut()
        }
        state = .closing(deadline: deadline)
        // An empty write is done when all before it are with the kernel.
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).assumeIsolated().whenComplete { [channel] _ in
            channel.close(promise: nil)
        }
    }

    /// Leaves the channel to somebody else, and is told of nothing more. To be called from within a delivery; returns what
    /// came behind that frame.
    func release() -> ByteBuffer? {
        guard case .open = state else { return nil }
        state = .ended
        received = nil
        ended = nil
        channel.pipeline.syncOperations.removeHandler(self, promise: nil)
        return decoder.takeRest()
    }

    /// Ends it now; what was queued is lost.
    func cut(_ failure: Failure?) {
        if self.failure == nil { self.failure = failure }
        finish()
        channel.close(promise: nil)
    }

    private var queuedBytes: Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func shut() {
        channel.close(promise: nil)
        finish()
    }

    private func finish() {
        switch state {
        case .ended: return
        case .open: break
        case .closing(let deadline): deadline.cancel()
        }
        state = .ended
        let ended = ended
        let failure = failure
        received = nil
        self.ended = nil
        channel.eventLoop.assumeIsolated().execute { ended?(failure) }
    }

    // MARK: What the channel says

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        decoder.append(unwrapInboundIn(data))
        do {
            while case .open = state, let body = try decoder.next() {
                let frame = try Frame(encoded: body)
                decoder.limit = rules.frameBytes
                received?(frame)
            }
        } catch {
            let code: Failure.Code = error.code == .frameTooLarge ? .limitReached : .malformed
            cut(Failure(code, error.reason))
        }
    }

    /// Only of a channel that allows half an end. Here it is a whole one.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, case .open = state { channel.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cut(Failure(rules.lost, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .open = state, failure == nil, decoder.pendingBytes > 0 {
            failure = Failure(rules.lost, "the connection ended in the middle of a frame")
        }
        finish()
        context.fireChannelInactive()
    }
}
