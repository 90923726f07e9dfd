// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import Logging
internal import NIOCore
internal import NIOSSL

/// The last handler of a connection's pipeline.
///
/// Reports the end once, and never within `send`, `close` or a delivery.
///
/// Bounds a peer's cost: a turn processes a few frames, fewer if they are expensive, then other connections run, and a
/// peer that leaves too much unread is not read from. Frames sent within a turn leave together.
final class FrameConnection<Frame: FrameCodable>: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    struct Rules {
        let sending: FrameLimits
        let receiving: FrameLimits
        var framesPerTurn = 32
        /// Afterwards a turn takes no further frame. The cost of frames varies by a factor of a thousand.
        var turnTime: TimeAmount = .milliseconds(5)
        /// Above, nothing more is read from the peer. Bytes.
        var unreadBytes = 256 * 1024
        /// Above, the peer is disconnected. Bytes.
        var queuedBytes = 4 * 1024 * 1024
        /// For the peer to read the queue after `close`.
        var lingering: TimeAmount = .seconds(2)
        let lost: Failure.Code

        init(sending: FrameLimits, receiving: FrameLimits, lost: Failure.Code) {
            self.sending = sending
            self.receiving = receiving
            self.lost = lost
        }

        init(_ purpose: ConnectionPurpose, own: FrameLimits.Sender, lost: Failure.Code) {
            self.init(sending: .of(purpose, from: own), receiving: .of(purpose, from: own.other), lost: lost)
        }
    }

    private enum State {
        /// Can transition to: closing, ended.
        case open
        /// Sends the queue, and receives nothing. Can transition to: ended.
        case closing(deadline: Scheduled<Void>)
        case ended
    }

    let channel: any Channel
    private let rules: Rules
    private let now: () -> NIODeadline
    private let log: Logger
    private var decoder: FrameDecoder
    private var state = State.open
    /// Frames of this turn, or while the channel is not writable.
    private var outbox: ByteBuffer?
    private var hasSent = false
    private var isTurn = false
    private var nextTurn: Scheduled<Void>?
    private var isReadHeld = false
    /// The last frames may still wait for their turn.
    private var isInputOver = false
    private var failure: Failure?
    private var unreadable = 0
    private static var unreadableLogged: Int { 8 }
    var caughtUp: (() -> Void)?
    private var received: ((Frame) -> Void)?
    private var ended: ((Failure?) -> Void)?

    init(
        channel: any Channel, rules: Rules, now: @escaping () -> NIODeadline = { .now() }, log: Logger,
        received: @escaping (Frame) -> Void, ended: @escaping (Failure?) -> Void
    ) {
        self.channel = channel
        self.rules = rules
        self.now = now
        self.log = log
        self.received = received
        self.ended = ended
        decoder = FrameDecoder(limit: rules.receiving.first)
    }

    // MARK: Requests of the owner

    /// The channel is full until the peer reads. `caughtUp` follows, or the end.
    var isBehind: Bool {
        if case .open = state { !channel.isWritable } else { false }
    }

    func send(_ frame: Frame) {
        guard case .open = state else { return }
        do throws(Failure) {
            write(try body(of: frame))
        } catch {
            log.error("Dropped a frame", metadata: ["code": "\(error.code)", "reason": "\(error.reason)"])
            guard let replacement = frame.replaced(by: error), let body = try? body(of: replacement) else { return }
            write(body)
        }
        if !isTurn || outboxBytes > Self.turnBytes { flush() }
        if !channel.isWritable, unreadBytes > rules.queuedBytes {
            cut(Failure(.limitReached, "it is not reading its messages"))
        }
    }

    /// More is sent before the turn ends.
    private static var turnBytes: Int { 64 * 1024 }
    /// After a turn, as a multiple of its duration, with a minimum.
    private static var pauseFactor: Int64 { 2 }
    private static var shortestPause: TimeAmount { .milliseconds(1) }

    /// Throws `.limitReached`, `.malformed`.
    private func body(of frame: Frame) throws(Failure) -> [UInt8] {
        let body: [UInt8]
        do throws(WireError) {
            body = try frame.encoded()
        } catch {
            throw Failure(error.code == .tooLarge ? .limitReached : .malformed, "it cannot be encoded: \(error.reason)")
        }
        let limit = hasSent ? rules.sending.later : rules.sending.first
        guard body.count <= limit else {
            throw Failure(.limitReached, "it would take \(body.count) bytes, but a frame has at most \(limit)")
        }
        return body
    }

    private func write(_ body: [UInt8]) {
        hasSent = true
        var buffer = outbox ?? channel.allocator.buffer(capacity: FrameHeader.byteCount + body.count)
        outbox = nil
        buffer.writeInteger(UInt32(body.count))
        buffer.writeBytes(body)
        outbox = buffer
    }

    private func flush() {
        guard channel.isWritable else { return }
        flushAll()
    }

    private func flushAll() {
        guard let bytes = outbox else { return }
        outbox = nil
        channel.writeAndFlush(bytes, promise: nil)
    }

    /// Sends the queue first.
    func close() {
        guard case .open = state else { return }
        let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: rules.lingering) { [weak self] in
            guard let self else { return }
            self.shut()
        }
        state = .closing(deadline: deadline)
        flushAll()
        // An empty write completes once the kernel has all earlier ones.
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).assumeIsolated().whenComplete { [channel] _ in
            channel.close(promise: nil)
        }
    }

    /// Leaves the channel to another handler. Only within a delivery. Returns the bytes after that frame.
    func release() -> ByteBuffer? {
        guard case .open = state else { return nil }
        flushAll()
        state = .ended
        received = nil
        caughtUp = nil
        ended = nil
        stopTurns()
        channel.pipeline.syncOperations.removeHandler(self, promise: nil)
        return decoder.takeRest()
    }

    /// Drops queued bytes.
    func cut(_ failure: Failure?) {
        if self.failure == nil { self.failure = failure }
        finish()
        drop()
    }

    /// Skips TLS's goodbye: TLS waits some seconds for an answer, which a malicious peer never sends.
    private func drop() {
        let pipeline = channel.pipeline.syncOperations
        let tls =
            (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
            ?? (try? pipeline.context(handlerType: NIOSSLClientHandler.self))
        if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
    }

    private var outboxBytes: Int { outbox?.readableBytes ?? 0 }

    private var unreadBytes: Int {
        outboxBytes + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    private func shut() {
        finish()
        drop()
    }

    private func finish() {
        switch state {
        case .ended: return
        case .open: break
        case .closing(let deadline): deadline.cancel()
        }
        state = .ended
        outbox = nil
        stopTurns()
        let ended = ended
        let failure = failure
        received = nil
        caughtUp = nil
        self.ended = nil
        channel.eventLoop.assumeIsolated().execute { ended?(failure) }
    }

    // MARK: Events of the channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        decoder.append(unwrapInboundIn(data))
        if nextTurn == nil { takeTurn() }
    }

    func read(context: ChannelHandlerContext) {
        if isHeld { isReadHeld = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if channel.isWritable {
            flush()
            if nextTurn == nil { takeTurn() }
            if !isBehind { caughtUp?() }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Half-closure ends the whole connection.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, case .open = state { channel.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cut(Failure(rules.lost, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInputOver = true
        if nextTurn == nil { takeTurn() }
        context.fireChannelInactive()
    }

    // MARK: Turns

    /// Frames wait for their turn, or the peer has too much to read first.
    private var isHeld: Bool { nextTurn != nil || isUnread }

    private var isUnread: Bool { !isInputOver && !channel.isWritable && unreadBytes > rules.unreadBytes }

    private func takeTurn() {
        guard !isTurn else { return }
        let began = now()
        var left = rules.framesPerTurn
        isTurn = true
        do {
            while case .open = state, left > 0, !isUnread, let body = try decoder.next() {
                left -= 1
                defer { if now() - began >= rules.turnTime { left = 0 } }
                let frame = try frame(in: body)
                decoder.limit = rules.receiving.later
                received?(frame)
            }
        } catch {
            let code: Failure.Code = error.code == .frameTooLarge ? .limitReached : .malformed
            cut(Failure(code, error.reason))
        }
        isTurn = false
        flush()
        if case .open = state, left == 0 {
            let pause = max((now() - began) * Self.pauseFactor, Self.shortestPause)
            nextTurn = channel.eventLoop.assumeIsolated().scheduleTask(in: pause) { [weak self] in
                self?.nextTurn = nil
                self?.takeTurn()
            }
        } else if isInputOver {
            inputEnded()
        }
        if isReadHeld, !isHeld {
            isReadHeld = false
            channel.read()
        }
    }

    private func frame(in body: ByteBufferView) throws(WireError) -> Frame {
        do throws(WireError) {
            return try Frame(encoded: body)
        } catch {
            guard let instead = Frame.instead(of: body, because: error) else { throw error }
            unreadable += 1
            if unreadable <= Self.unreadableLogged {
                log.notice("Could not read a message", metadata: ["reason": "\(error.reason)"])
            }
            return instead
        }
    }

    private func inputEnded() {
        if case .open = state, failure == nil, decoder.pendingBytes > 0 {
            failure = Failure(rules.lost, "the connection ended in the middle of a frame")
        }
        finish()
    }

    private func stopTurns() {
        nextTurn?.cancel()
        nextTurn = nil
    }
}
