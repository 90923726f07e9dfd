// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

final class TLSHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    struct Proof {
        let key: DevicePublicKey
        let purpose: ConnectionPurpose
        var device: DeviceID { key.id }
    }

    private let judge: (DevicePublicKey) throws(Failure) -> Void
    private let verdict: ConnectionVerdict<Proof>
    private var key: DevicePublicKey?
    private var refusal: Failure?

    /// `judge` throws if a proved key is not acceptable.
    init(
        channel: any Channel, deadline: NIODeadline, judge: @escaping (DevicePublicKey) throws(Failure) -> Void,
        settled: @escaping (Result<Proof, Failure>) -> Void
    ) {
        self.judge = judge
        verdict = ConnectionVerdict(on: channel, deadline: deadline, settled: settled)
    }

    var channel: any Channel { verdict.channel }

    /// Called before NIOSSL has verified possession of the key. Judges a dialled device before it learns the caller;
    /// callers are judged after the handshake.
    var verification: NIOSSLCustomVerificationCallback {
        { [weak self] chain, promise in
            guard let self else { return promise.succeed(.failed) }
            do {
                guard let leaf = chain.first else { throw Failure(.notAMember, "no certificate") }
                let key = try DevicePublicKey(spki: try leaf.extractPublicKey().toSPKIBytes())
                self.key = key
                try self.judge(key)
                promise.succeed(.certificateVerified)
            } catch {
                self.refusal = error as? Failure ?? Failure(.notAMember, "not a device's key: \(error)")
                promise.succeed(.failed)
            }
        }
    }

    func fail(_ failure: Failure) { verdict.fail(refusal ?? failure) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        guard let key, let purpose = negotiated.flatMap(ConnectionPurpose.init(rawValue:)) else {
            fail(Failure(.versionUnsupported, "the other side speaks none of the Handoff protocols"))
            return
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        verdict.settle(.success(Proof(key: key, purpose: purpose)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(Failure(.connectionUnavailable, explaining: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        let reason =
            key == nil
            ? "the other side ended the connection before it identified itself"
            : "the connection ended in the handshake"
        fail(Failure(.connectionUnavailable, reason))
        context.fireChannelInactive()
    }
}
