// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOTLS

/// An app's connection, on the daemon's socket, or another device's. The last handler of its pipeline after the setup
/// frame.
final class ChannelStreamLink: StreamAdapter, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    struct Answer {
        let ready: ByteBuffer
        /// Nil if it cannot be encoded.
        let refusal: (Failure) -> ByteBuffer?
    }

    weak var observer: (any StreamLinkObserver)?
    var place: StreamPlace?

    let channel: any Channel
    let party: StreamParty
    let floor: StreamFloor
    /// Nil for a dialled connection, whose other end is ready.
    let answer: Answer?
    private let onClose: () -> Void
    let onMove: () -> Void
    private(set) var context: ChannelHandlerContext?
    private(set) var hasInputEnded = false
    private(set) var isGone = false

    var alarm: Scheduled<Void>?
    var pulse = StreamPulse()
    var nextBeat: Scheduled<Void>?
    /// Closes once the other device has received everything.
    var isLeaving = false

    private init(
        _ channel: any Channel, party: StreamParty, answer: Answer?, onMove: @escaping () -> Void,
        onClose: @escaping () -> Void
    ) {
        self.channel = channel
        self.party = party
        floor = StreamFloor(saysGoodbye: party == .device)
        self.answer = answer
        self.onMove = onMove
        self.onClose = onClose
    }

    /// `held`: bytes that followed the setup frame. `onMove`: every few seconds while bytes move.
    static func take(
        _ channel: any Channel, party: StreamParty, answer: Answer?, held: ByteBuffer? = nil,
        onMove: @escaping () -> Void = {}, onClose: @escaping () -> Void
    ) throws -> ChannelStreamLink {
        let link = ChannelStreamLink(channel, party: party, answer: answer, onMove: onMove, onClose: onClose)
        link.begin(party, isReady: answer == nil)
        if let held { link.received(held) }
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        if party == .device { try channel.syncOptions?.setOption(PeerSocketOptions.userTimeoutOption, value: 0) }
        try channel.pipeline.syncOperations.addHandler(link.floor, position: .first)
        try channel.pipeline.syncOperations.addHandler(link)
        return link
    }

    // MARK: Events of the channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read(context: ChannelHandlerContext) { readingWanted() }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received(unwrapInboundIn(data)) }
    func channelReadComplete(context: ChannelHandlerContext) { receivedAll() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // After our own goodbye, theirs closes the channel, which reports both ends.
        if event as? ChannelEvent == .inputClosed || event as? TLSUserEvent == .shutdownCompleted {
            hasInputEnded = true
            inputEnded()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        broke(Failure(.streamCut, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        nextBeat?.cancel()
        onClose()
        closed()
        context.fireChannelInactive()
    }
}

extension ByteBuffer: StreamPiece {
    var byteCount: Int { readableBytes }
    var bytes: [UInt8] { Array(readableBytesView) }
}
