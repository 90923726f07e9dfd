// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOTLS

/// One connection of a stream: an app's, on the daemon's socket, or another device's. The last handler of its channel's
/// pipeline from the frame that said what it is for; what follows is bytes.
///
/// Joined with another one it writes there what it reads here, and reads no faster than the other end over there takes
/// it. `ChannelStreamLink+Carrying` has how each direction ends.
final class ChannelStreamLink: StreamLink, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// Who is at the other end.
    enum Side: Equatable {
        case app
        case device

        /// What it is called that it left before the stream was ready.
        var lost: Failure.Code { self == .app ? .appGone : .deviceLost }
    }

    /// What the other end waits for.
    struct Answer {
        /// Frames.
        let ready: ByteBuffer
        /// Nil where it cannot be said.
        let refusal: (Failure) -> ByteBuffer?
    }

    enum Phase {
        /// Can transition to: joined, refused, over.
        case waiting
        /// Carries bytes. Can transition to: over.
        case joined(with: ChannelStreamLink)
        /// The refusal is on its way. Can transition to: over.
        case refused(Failure, deadline: Scheduled<Void>)
        /// The observer was told. What is left of the channel is on its way out.
        case over
    }

    /// After a refusal: how long the other end may take to read it.
    static let lingering: TimeAmount = .seconds(2)

    weak var observer: (any StreamLinkObserver)?

    let channel: any Channel
    let side: Side
    let floor = StreamFloor()
    /// Nil for one that we dialled: the other end is ready, and may send.
    private let answer: Answer?
    private let closed: () -> Void
    private(set) var context: ChannelHandlerContext?

    var phase = Phase.waiting
    var inflow = Inflow.open
    /// The channel is closed.
    private(set) var isGone = false
    /// What went wrong first.
    var failure: Failure?
    /// What the other end sent.
    private(set) var byteCount: UInt64 = 0
    /// The channel wants to read; not yet.
    private(set) var isReadHeld = false
    /// What a dialled one sent before we joined it: at most what was under way when its ready came, and what the kernel
    /// had taken where it has ended since.
    private var held: [ByteBuffer] = []
    private var isEndHeld = false

    var pulse = StreamPulse()
    var nextBeat: Scheduled<Void>?

    /// `closed` is called once, when the channel is.
    private init(_ channel: any Channel, side: Side, answer: Answer?, closed: @escaping () -> Void) {
        self.channel = channel
        self.side = side
        self.answer = answer
        self.closed = closed
    }

    /// Takes over a channel whose set-up frame was read. `held` is what a dialled one's other end sent behind it.
    static func take(
        _ channel: any Channel, side: Side, answer: Answer?, held: ByteBuffer? = nil, closed: @escaping () -> Void
    ) throws -> ChannelStreamLink {
        let link = ChannelStreamLink(channel, side: side, answer: answer, closed: closed)
        link.held = held.map { [$0] } ?? []
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        if side == .device { try channel.syncOptions?.setOption(PeerSocketOptions.userTimeoutOption, value: 0) }
        try channel.pipeline.syncOperations.addHandler(link.floor, position: .first)
        try channel.pipeline.syncOperations.addHandler(link)
        return link
    }

    // MARK: What the owner asks

    func refuse(_ failure: Failure) {
        guard case .waiting = phase else { return }
        guard let context, let words = answer?.refusal(failure) else { return cut(failure) }
        let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { [floor] in floor.cut() }
        phase = .refused(failure, deadline: deadline)
        context.writeAndFlush(wrapOutboundOut(words), promise: nil)
        context.close(promise: nil)
        resumeReading()
    }

    func join(_ other: any StreamLink) {
        guard let other = other as? ChannelStreamLink, other !== self, other.channel.eventLoop === channel.eventLoop
        else {
            preconditionFailure("only two links of these hands can be joined")
        }
        guard case .waiting = phase, case .waiting = other.phase else {
            // One has left, and its observer is being told.
            for link in [self, other] { link.cut(Failure(.streamCut, "one end has left before the stream was ready")) }
            return
        }
        phase = .joined(with: other)
        other.phase = .joined(with: self)
        for link in [self, other] { link.sayReady() }
        for link in [self, other] { link.carryHeld() }
    }

    func cut(_ failure: Failure) {
        switch phase {
        case .over: return
        case .waiting, .refused:
            finish(failure)
            floor.cut()
        case .joined(let partner):
            for link in [self, partner] { link.finish(failure) }
            for link in [self, partner] { link.floor.cut() }
        }
    }

    /// Tells the observer, and is over.
    func finish(_ failure: Failure?) {
        if case .refused(_, let deadline) = phase { deadline.cancel() }
        phase = .over
        held = []
        tell { $0.streamLinkClosed($1, failure: failure) }
    }

    /// Not now: whoever is to be told may be in the middle of a call to this link.
    func tell(_ event: @escaping (any StreamLinkObserver, ChannelStreamLink) -> Void) {
        channel.eventLoop.assumeIsolated().execute { [self] in
            if let observer { event(observer, self) }
        }
    }

    private func sayReady() {
        guard let answer else { return }
        context?.writeAndFlush(wrapOutboundOut(answer.ready), promise: nil)
    }

    private func carryHeld() {
        guard case .joined(let partner) = phase else { return }
        let held = held
        self.held = []
        for bytes in held { carry(bytes, to: partner) }
        partner.context?.flush()
        if isEndHeld { inputEnded() }
        resumeReading()
        if side == .device { scheduleBeat() }
    }

    // MARK: Reading

    private var mayRead: Bool {
        switch phase {
        case .waiting: answer != nil
        case .joined(let partner): partner.isGone ? inflow != .lost : partner.channel.isWritable
        // What comes is passed over, up to the goodbye.
        case .refused: true
        case .over: false
        }
    }

    func resumeReading() {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context?.read()
    }

    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { isReadHeld = true }
    }

    private func received(_ bytes: ByteBuffer) {
        switch phase {
        case .waiting where answer == nil: held.append(bytes)
        case .waiting: refuse(.bytesBeforeAnswer)
        case .joined(let partner): carry(bytes, to: partner)
        case .refused, .over: break
        }
    }

    private func carry(_ bytes: ByteBuffer, to partner: ChannelStreamLink) {
        guard inflow == .open else { return }
        guard !partner.isGone else { return lose(Failure(.streamCut, "who was to get the bytes has left")) }
        byteCount += UInt64(bytes.readableBytes)
        partner.context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    // MARK: What the channel says

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .joined(let partner) = phase { partner.context?.flush() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .joined(let partner) = phase, context.channel.isWritable { partner.resumeReading() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Where our goodbye was said before, theirs closes the channel, and is told as the end of both.
        guard event as? ChannelEvent == .inputClosed || event as? TLSUserEvent == .shutdownCompleted else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch phase {
        case .waiting where answer == nil: isEndHeld = true
        case .waiting: cut(Failure(side.lost, "it left before the stream was ready"))
        case .joined: inputEnded()
        case .refused, .over: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let code = if case .waiting = phase { side.lost } else { Failure.Code.streamCut }
        failed(Failure(code, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        nextBeat?.cancel()
        closed()
        switch phase {
        case .waiting: finish(failure ?? Failure(side.lost, "it left before the stream was ready"))
        case .refused(let failure, _): finish(failure)
        case .joined(let partner): left(partner)
        case .over: break
        }
        context.fireChannelInactive()
    }
}

extension Failure {
    static let bytesBeforeAnswer = Failure(.malformed, "bytes before the answer")
}
