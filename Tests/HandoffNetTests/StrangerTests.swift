// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffTrust
import HandoffWire
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import HandoffNet

/// A stranger without the account's secrets learns nothing, and cannot disturb others. Shows X07.
@Suite(.serialized, .timeLimit(.minutes(1))) struct StrangerTests {
    private let laptopKey = DeviceKey()
    private let desktopKey = DeviceKey()
    private let strangersKey = DeviceKey()

    /// All get the same: a challenge, and the end.
    // Shows X07.
    @Test func everyStrangerSeesTheSameClose() async throws {
        let code = InviteCode()
        let desktop = try await RealDevice(members: [laptopKey], key: desktopKey)
        let inviting = try await RealDevice(members: [laptopKey], invite: code, key: desktopKey)
        let (plain, open) = (try await desktop.start(), try await inviting.start())
        let hello = [UInt8](repeating: 9, count: 300)
        let shared = { @Sendable (secret: CallSecret) in
            { @Sendable (challenge: [UInt8]) in
                try CallFrame(proofs: [CallProof(challenge: challenge, hello: hello).bytes(secret)], hello: hello)
                    .encoded
            }
        }
        let own = try #require(strangersKey.callSecrets(with: desktopKey.publicKey)).calling
        // With its own key, and the public keys of two members, which are not secret.
        let guessed = try #require(strangersKey.callSecrets(with: laptopKey.publicKey)).calling
        let words: [@Sendable ([UInt8]) throws -> [UInt8]] = [
            { _ in [22, 3, 1, 1, 0] }, { _ in [0] }, shared(own), shared(guessed), shared(InviteCode().callSecret),
        ]
        for says in words {
            for address in [plain, open] {
                let heard = try await StrangersCall.make(to: address, says)
                #expect(heard.count == CallProof.challengeBytes)
            }
        }
        let laptop = try await RealDevice(members: [desktopKey], key: laptopKey)
        laptop.dial(plain, expecting: desktopKey.id)
        #expect(await laptop.next() == .dialled(desktopKey.id))
        for device in [desktop, inviting, laptop] { device.stop() }
    }

    /// TLS answers as it would without a call, and the connection is closed. BoringSSL has no alert for HTTP.
    @Test(arguments: [
        ([UInt8](repeating: 9, count: 300), true), ([22, 3, 1, 0, 4, 9, 9, 9, 9], true),
        (Array("GET / HTTP/1.1\r\n\r\n".utf8), false),
    ])
    func aRightProofWithAHelloThatIsNotTLSGetsTheAnswerOfTLS(hello: [UInt8], isAlert: Bool) async throws {
        let desktop = try await RealDevice(members: [laptopKey], key: desktopKey)
        let secret = try #require(laptopKey.callSecrets(with: desktopKey.publicKey)).calling
        let heard = try await StrangersCall.make(to: try await desktop.start()) { challenge in
            try CallFrame(proofs: [CallProof(challenge: challenge, hello: hello).bytes(secret)], hello: hello).encoded
        }
        let answer = heard.dropFirst(CallProof.challengeBytes)
        #expect(isAlert ? answer.count == 7 && answer.first == 21 : answer.isEmpty, "\(answer)")
        desktop.stop()
    }

    /// A device of the account must use its own key in TLS too.
    @Test func aMembersCallWithAnotherKeyInTLSIsRefused() async throws {
        let desktop = try await RealDevice(members: [laptopKey, strangersKey], key: desktopKey)
        let address = try await desktop.start()
        let secret = try #require(laptopKey.callSecrets(with: desktopKey.publicKey)).calling
        let credentials = try TLSCredentials(
            key: strangersKey, certificate: DeviceCertificate(selfSignedBy: strangersKey))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let tls = NIOLoopBoundBox.makeBoxSendingValue(credentials, eventLoop: loop)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try tls.value.diallingHandler(.session) { _, promise in
                        promise.succeed(.certificateVerified)
                    }
                    try channel.pipeline.syncOperations.addHandlers([CallPlacing(secrets: [secret]), handler])
                }
            }
            .connect(to: address.socketAddress!).get()
        // Fails only by the suite's time limit.
        try await channel.closeFuture.get()
        desktop.stop()
    }

    // Shows X08. A hundred addresses and a thousand silent connections a second displaced distant members. The test
    // uses numbers instead of times: so many connections follow the member's before its call arrives.
    @Test(arguments: [50, 150]) func silentConnectionsDoNotDisplaceAMember(millisecondsAway: Int) async throws {
        Self.raiseDescriptors()
        let desktop = try await RealDevice(members: [laptopKey], key: desktopKey, on: Self.crowdedLoop)
        let address = try await desktop.start()
        let crowd = SilentCrowd(at: address, sources: 100, on: Self.crowdedLoop)
        let laptop = try await RealDevice(members: [desktopKey], key: laptopKey, on: Self.membersLoop)
        let relay = try await SlowRelay(to: address, on: Self.membersLoop) { crowd.come(millisecondsAway) }
        try await crowd.come(WaitingCallers.strangers).get()
        for _ in 1...16 {
            laptop.dial(relay.address, expecting: desktopKey.id)
            // Later events would belong to another call.
            let dialled = await laptop.next()
            try #require(dialled == .dialled(desktopKey.id))
            let accepted = await desktop.next()
            try #require(accepted == .accepted(laptopKey.id))
        }
        crowd.leave()
        relay.stop()
        desktop.stop()
    }
}

extension StrangerTests {
    /// A separate loop: thousands of connections would delay the tests on the other loops beyond their deadlines.
    private static let crowdedLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    /// A separate loop: a call has ten seconds, which other tests' work must not consume.
    private static let membersLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    /// Both ends of five hundred connections are in this process.
    private static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

private enum StrangersCall {
    static func make(
        to address: NetworkAddress, _ says: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) async throws -> [UInt8] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let heard = NIOLoopBoundBox.makeBoxSendingValue([UInt8](), eventLoop: loop)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(says: says, heard: heard))
                }
            }
            .connect(to: address.socketAddress!).get()
        // Fails only by the suite's time limit.
        try await channel.closeFuture.get()
        return try await loop.submit { heard.value }.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        let says: @Sendable ([UInt8]) throws -> [UInt8]
        let heard: NIOLoopBoundBox<[UInt8]>

        init(says: @escaping @Sendable ([UInt8]) throws -> [UInt8], heard: NIOLoopBoundBox<[UInt8]>) {
            self.says = says
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.value += Array(unwrapInboundIn(data).readableBytesView)
            guard heard.value.count == CallProof.challengeBytes, let answer = try? says(heard.value) else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
        }
    }
}
