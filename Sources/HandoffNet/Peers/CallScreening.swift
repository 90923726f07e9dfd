// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import NIOCore

/// Sends a challenge, and waits for the proof of a shared secret. Only then TLS begins, which reveals this device's
/// identity. All other callers see the same close.
final class CallScreening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let identify: (CallProof, [[UInt8]]) -> Caller?
    private let verdict: ConnectionVerdict<Caller>
    private let challenge = CallProof.freshChallenge()
    private var received = ByteBuffer()

    /// On success, `settled` adds the next handlers; on failure the connection is closed.
    init(
        channel: any Channel, deadline: NIODeadline, identify: @escaping (CallProof, [[UInt8]]) -> Caller?,
        settled: @escaping (Result<Caller, Failure>) -> Void
    ) {
        self.identify = identify
        verdict = ConnectionVerdict(on: channel, deadline: deadline, settled: settled)
    }

    func fail(_ failure: Failure) { verdict.fail(failure) }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: challenge)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !verdict.isSettled else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard received.readableBytes <= CallFrame.mostBytes else {
            return fail(Failure(.limitReached, "the caller sent more data than a call has"))
        }
        do {
            guard let call = try CallFrame(Array(received.readableBytesView)) else { return }
            received.clear()
            let proof = CallProof(challenge: challenge, hello: call.hello)
            guard let caller = identify(proof, call.proofs) else {
                throw Failure(.notAMember, "the caller shares no secret with this device")
            }
            verdict.settle(.success(caller))
            context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: call.hello)))
            context.fireChannelReadComplete()
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            fail(error as? Failure ?? Failure(unreadable: error))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(Failure(.connectionUnavailable, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(Failure(.connectionUnavailable, "the connection ended before the caller identified itself"))
        context.fireChannelInactive()
    }
}

extension Failure {
    fileprivate init(unreadable error: any Error) {
        let error = error as? WireError
        self.init(error?.code == .unknownKind ? .versionUnsupported : .malformed, error?.reason ?? "no call")
    }
}
