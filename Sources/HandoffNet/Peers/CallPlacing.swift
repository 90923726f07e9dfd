// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire
internal import NIOCore

/// The beginning of a connection that we dialled: TLS's first words wait for the challenge of whoever is there, and go out
/// with the proofs over both. Then it is gone.
final class CallPlacing: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The challenge comes with the connection, so one that takes longer does not come.
    static let patience: TimeAmount = .seconds(5)

    private let secrets: [CallSecret]
    private var hello = ByteBuffer()
    /// TLS waits for an answer to what it said.
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
        // It goes on with the rest, or is lost with the connection.
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
        // Nobody has anything to say before it has heard us.
        guard received.readableBytes == 0,
            let frame = try? CallFrame(proofs: secrets.map(proof.bytes), hello: hello)
        else {
            context.fireErrorCaught(Failure(.malformed, "whoever is there does not speak as Handoff does"))
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
        "whoever is there waits for our first words, as an older version of Handoff does: update it")
}
