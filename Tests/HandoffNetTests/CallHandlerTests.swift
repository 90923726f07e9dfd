// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HandoffNet

// Shows X07.
@Suite struct CallHandlerTests {
    private let secret = CallSecret(uncheckedBytes: [UInt8](repeating: 5, count: 32))
    private let hello: [UInt8] = [22, 3, 1, 0, 4, 1, 2, 3, 4]

    /// TLS's bytes go in, and the result is on the wire.
    private func placing(_ secrets: [CallSecret]? = nil) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: CallPlacing(secrets: secrets ?? [secret]))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func bytes(_ channel: EmbeddedChannel) throws -> [UInt8] {
        var all: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) { all += Array(part.readableBytesView) }
        return all
    }

    @Test func theCallerWaitsForTheChallengeAndThenSaysAllInOne() throws {
        let channel = try placing()
        try channel.writeOutbound(ByteBuffer(bytes: hello))
        #expect(try bytes(channel).isEmpty)
        let challenge = CallProof.freshChallenge()
        for byte in challenge { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        let call = try #require(try CallFrame(try bytes(channel)))
        #expect(call.hello == hello)
        #expect(call.proofs == [CallProof(challenge: challenge, hello: hello).bytes(secret)])
        try channel.writeOutbound(ByteBuffer(bytes: [1, 2]))
        #expect(try bytes(channel) == [1, 2])
        try channel.writeInbound(ByteBuffer(bytes: [3]))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(bytes: [3]))
    }

    /// It does not answer, because it waits for TLS.
    @Test func aCalledDeviceOfAnOlderVersionIsNamed() throws {
        let channel = try placing()
        try channel.writeOutbound(ByteBuffer(bytes: hello))
        channel.embeddedEventLoop.advanceTime(by: CallPlacing.patience)
        let failure = #expect(throws: Failure.self) { try channel.throwIfErrorCaught() }
        #expect(failure?.code == .versionUnsupported)
        #expect(failure?.reason.contains("older version") == true)
        #expect(try bytes(channel).isEmpty)
    }

    @Test func oversizedChallengeIsNotAnswered() throws {
        let channel = try placing()
        try channel.writeOutbound(ByteBuffer(bytes: hello))
        #expect(throws: Failure.self) {
            try channel.writeInbound(ByteBuffer(bytes: [UInt8](repeating: 1, count: CallProof.challengeBytes + 1)))
        }
        #expect(try bytes(channel).isEmpty)
    }

    // MARK: The called device

    private final class Heard {
        var result: Result<Caller, Failure>?
    }

    private func screening(_ heard: Heard) throws -> (channel: EmbeddedChannel, challenge: [UInt8]) {
        let channel = EmbeddedChannel()
        let screening = CallScreening(
            channel: channel, deadline: channel.embeddedEventLoop.now + .seconds(10),
            identify: { proof, shown in shown.contains(proof.bytes(secret)) ? .invited : nil },
            settled: { heard.result = $0 })
        try channel.pipeline.syncOperations.addHandler(screening)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (channel, try bytes(channel))
    }

    @Test func provenCallContinuesWithTheHello() throws {
        let heard = Heard()
        let (channel, challenge) = try screening(heard)
        let another = CallSecret(uncheckedBytes: [UInt8](repeating: 6, count: 32))
        let proof = CallProof(challenge: challenge, hello: hello)
        let call = try CallFrame(proofs: [another, secret].map(proof.bytes), hello: hello)
        for byte in call.encoded { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        #expect(try heard.result?.get() == .invited)
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(bytes: hello))
        #expect(channel.isActive)
    }

    /// Challenges and hellos are unique, so proofs of other connections are worthless.
    @Test func aProofOfAnotherConnectionOrAnotherHelloIsWorthNothing() throws {
        for (isRepeated, told) in [(true, hello), (false, hello + [0])] {
            let heard = Heard()
            let (channel, challenge) = try screening(heard)
            let proof = CallProof(challenge: isRepeated ? CallProof.freshChallenge() : challenge, hello: hello)
            let call = try CallFrame(proofs: [proof.bytes(secret)], hello: told)
            try channel.writeInbound(ByteBuffer(bytes: call.encoded))
            #expect(throws: Failure(.notAMember, "")) { try heard.result?.get() }
            #expect(!channel.isActive)
            #expect(try bytes(channel).isEmpty)
        }
    }

    // Shows X08
    @Test(arguments: [[22, 3, 1], [0], [1, 0, 0, 9], [1, 65, 0, 9], [1, 1, 0, 0], [1, 1, 255, 255]] as [[UInt8]])
    func invalidCallIsClosedAtOnce(_ begin: [UInt8]) throws {
        let heard = Heard()
        let (channel, _) = try screening(heard)
        try channel.writeInbound(ByteBuffer(bytes: begin))
        #expect(throws: Failure.self) { try heard.result?.get() }
        #expect(!channel.isActive)
    }

    @Test func bytesBeyondOneCallAreRejected() throws {
        let heard = Heard()
        let (channel, challenge) = try screening(heard)
        let call = try CallFrame(proofs: [CallProof(challenge: challenge, hello: hello).bytes(secret)], hello: hello)
        try channel.writeInbound(ByteBuffer(bytes: call.encoded + [0]))
        #expect(throws: Failure.self) { try heard.result?.get() }
        #expect(!channel.isActive)
    }

    @Test func silentCallerIsClosed() throws {
        let heard = Heard()
        let (channel, _) = try screening(heard)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(throws: Failure(.connectionUnavailable, "")) { try heard.result?.get() }
        #expect(!channel.isActive)
    }
}
