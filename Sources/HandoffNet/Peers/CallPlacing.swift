// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire
internal import NIOCore

/// Holds TLS's first bytes until the challenge arrives, and sends them with the proofs over both.
final class CallPlacing: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// For the challenge.
    static let patience: TimeAmount = .seconds(5)

    private let secrets: [CallSecret]
    private var hello = ByteBuffer()
    private var isHelloWhole = false
    private var received = ByteBuffer()
    private var overdue: Scheduled<Void>?

    init(secrets: [CallSecret]) { self.secrets = secrets }

    func channelActive(context: ChannelHandlerContext) {
        overdue = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            context.fireErrorCaught(Failure.noChallenge)
        }
        context.fireChannelActive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        hello.writeBuffer(&bytes)
        // Sent with the rest, or lost with the connection.
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {
        isHelloWhole = true
        call(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        call(context)
    }

    private func call(_ context: ChannelHandlerContext) {
        guard isHelloWhole, received.readableBytes >= CallProof.challengeBytes,
            let challenge = received.readBytes(length: CallProof.challengeBytes)
        else { return }
        overdue?.cancel()
        let hello = Array(hello.readableBytesView)
        let proof = CallProof(challenge: challenge, hello: hello)
        // Nothing may follow the challenge before our frame.
        guard received.readableBytes == 0,
            let frame = try? CallFrame(proofs: secrets.map(proof.bytes), hello: hello)
        else {
            context.fireErrorCaught(Failure(.malformed, "the other side does not use Handoff's protocol"))
            return
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: frame.encoded)), promise: nil)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        overdue?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { overdue?.cancel() }
}

extension Failure {
    fileprivate static let noChallenge = Failure(
        .versionUnsupported,
        "the other side waits for the first message, so it seems to run an older version of Handoff: update it")
}
