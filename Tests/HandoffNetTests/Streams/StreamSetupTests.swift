// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffTrust
import HandoffWire
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import HandoffNet

/// Shows X07, X08: who gets a stream's connection, and the frames before its bytes.
@Suite(.timeLimit(.minutes(1))) struct StreamSetupTests {
    private let hello = StreamPath.hello()
    private static let limits = FrameLimits.of(.stream, from: .caller)

    // MARK: An app

    @Test func attachingAppIsNotAClient() async throws {
        let fixture = try await StreamFixture()
        let app = try await AppEnd.attach(hello.token, to: fixture)
        #expect(await fixture.next() == .clientAccepted)
        #expect(await fixture.next() == .clientClosed(nil))
        #expect(await fixture.next() == .attached(process: getpid()))
        fixture.refuse(.app, Failure(.notAllowed, "not that one"))
        #expect(try await app.answer() == LocalFrame(.failure(Failure(.notAllowed, "")), answer: 7))
        #expect(try await app.receive(Pattern(0)).ending == .end)
        #expect(await fixture.next() == .closed(.app, Failure(.notAllowed, "")))
        fixture.stop()
    }

    @Test func refusesBytesThatComeWithTheToken() async throws {
        let fixture = try await StreamFixture()
        let app = try await AppEnd.attach(hello.token, to: fixture, extra: [1])
        #expect(try await app.answer() == LocalFrame(.failure(Failure(.malformed, "")), answer: 7))
        // It was not even offered.
        #expect(await fixture.next() == .clientAccepted)
        #expect(await fixture.next() == .clientClosed(nil))
        #expect(await fixture.noEventArrived())
        fixture.stop()
    }

    @Test func refusesBytesThatComeBeforeTheAnswer() async throws {
        let fixture = try await StreamFixture()
        let app = try await AppEnd.attach(hello.token, to: fixture)
        #expect(await fixture.next(where: { $0 == .attached(process: getpid()) }) != nil)
        #expect(try await app.send(1, of: Pattern(0)) == nil)
        #expect(try await app.answer() == LocalFrame(.failure(Failure(.malformed, "")), answer: 7))
        #expect(await fixture.next() == .closed(.app, Failure(.malformed, "")))
        fixture.stop()
    }

    @Test(arguments: [true, false]) func noticesAnAppThatLeavesWhileItWaits(whole: Bool) async throws {
        let fixture = try await StreamFixture()
        let app = try await AppEnd.attach(hello.token, to: fixture)
        #expect(await fixture.next(where: { $0 == .attached(process: getpid()) }) != nil)
        if whole { app.leave() } else { app.endWriting() }
        #expect(await fixture.next() == .closed(.app, Failure(.appGone, "")))
        fixture.stop()
    }

    @Test func aTokenIsAcceptedOnlyInTheFirstFrame() async throws {
        let fixture = try await StreamFixture()
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: fixture.path).get()
        for frame in [
            LocalFrame(.status(.getStatus), request: 1), LocalFrame(.streams(.attachStream(hello.token)), request: 2),
        ] {
            try await client.writeAndFlush(frame.framed(within: .local)).get()
        }
        #expect(await fixture.next() == .clientAccepted)
        #expect(await fixture.next() == .frame(.status(.getStatus)))
        #expect(await fixture.next() == .frame(.streams(.attachStream(hello.token))))
        client.close(promise: nil)
        fixture.stop()
    }

    @Test func streamsHaveALimitOfTheirOwn() async throws {
        let fixture = try await StreamFixture(streamsAtOnce: 3)
        var apps: [AppEnd] = []
        for _ in 0..<3 {
            apps.append(try await AppEnd.attach(StreamPath.hello().token, to: fixture))
            #expect(await fixture.next(where: { $0 == .attached(process: getpid()) }) != nil)
        }
        let fourth = try await AppEnd.attach(hello.token, to: fixture)
        let answer = try await fourth.answer()
        #expect(answer == LocalFrame(.failure(Failure(.limitReached, "")), answer: 7))
        if case .failure(let failure)? = answer?.message { #expect(failure.reason.contains("3")) }
        apps.removeLast().leave()
        #expect(await fixture.next(where: \.isClosed) != nil)
        _ = try await AppEnd.attach(hello.token, to: fixture)
        #expect(await fixture.next(where: { $0 == .attached(process: getpid()) }) != nil)
        fixture.stop()
    }

    // MARK: A device

    @Test func theDiallerReceivesTheReasonOfARefusal() async throws {
        let (near, far) = try await StreamPath.desks()
        far.dial(near, hello)
        #expect(await near.next() == .offered(hello, by: far.device))
        near.refuse(.device, Failure(.noStreams, "no such stream"))
        #expect(await far.next() == .dialFailed(Failure(.noStreams, "")))
        #expect(await near.next() == .closed(.device, Failure(.noStreams, "")))
        near.stop()
        far.stop()
    }

    /// Shows C03: of a hundred simultaneous requests, none displaces another.
    @Test func aHundredAtOnceAreAllOffered() async throws {
        let (near, far) = try await StreamPath.desks()
        let hellos = (0..<100).map { _ in StreamPath.hello() }
        for hello in hellos { far.dial(near, hello) }
        var offered: Set<StreamToken> = []
        while offered.count < hellos.count, case .offered(let hello, let device)? = await near.next() {
            #expect(device == far.device)
            offered.insert(hello.token)
        }
        #expect(offered == Set(hellos.map(\.token)))
        // Requests that still wait when the daemon stops fail.
        for hello in hellos { far.dial(near.address, expecting: near.device, hello) }
        far.stop()
        near.stop()
        for _ in 0..<200 {
            let isTold = await far.next(where: { if case .dialFailed = $0 { true } else { false } }) != nil
            #expect(isTold)
        }
    }

    @Test func onlyMembersAreOfferedTo() async throws {
        let near = try await StreamFixture()
        let strangersPhone = try await StreamFixture(members: [near.key])
        strangersPhone.dial(near, hello)
        #expect(await strangersPhone.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        let other = DeviceKey()
        let laptop = try await StreamFixture(members: [near.key, other])
        laptop.dial(near.address, expecting: other.id, hello)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        laptop.dial(NetworkAddress(host: "127.0.0.1", port: 1), expecting: near.device, hello)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        for fixture in [near, strangersPhone, laptop] { fixture.stop() }
    }

    @Test func noticesADeviceThatLeavesWhileItWaits() async throws {
        let (near, far) = try await StreamPath.desks()
        far.dial(near, hello)
        #expect(await near.next() == .offered(hello, by: far.device))
        far.stop()
        #expect(await near.next() == .closed(.device, Failure(.deviceLost, "")))
        #expect(await far.next() == .dialFailed(Failure(.cancelled, "")))
        near.stop()
    }

    /// The near side sends bytes right after `ready`. The far side joins later.
    @Test(arguments: [0, 1, 3_000_000]) func bytesAfterReadyWaitForJoining(_ count: Int) async throws {
        let (near, far) = try await StreamPath.desks()
        far.set(joins: false)
        let nearApp = try await AppEnd.attach(hello.token, to: near)
        let farApp = try await AppEnd.attach(hello.token, to: far)
        #expect(await near.next(where: { $0 == .attached(process: getpid()) }) != nil)
        far.dial(near, hello)
        #expect(await far.next(where: { $0 == .dialled }) != nil)
        #expect(try await nearApp.answer() != nil)
        let words = Pattern(21)
        async let sent = nearApp.send(count, of: words)
        if count < 1_000_000 {
            #expect(try await sent == nil)
            nearApp.endWriting()
            #expect(await near.next(where: \.isBytesEnded) == .bytesEnded(.app, UInt64(count)))
        }
        #expect(await far.noEventArrived())
        far.join()
        #expect(try await farApp.answer() == LocalFrame(.done(accepted: true), answer: 7))
        async let got = farApp.receive(words)
        #expect(try await sent == nil)
        nearApp.endWriting()
        #expect(try await got == (count, .end))
        near.stop()
        far.stop()
    }

    @Test func noticesThatWhoSaidReadyIsGone() async throws {
        let (near, far) = try await StreamPath.desks()
        far.set(joins: false)
        let app = try await AppEnd.attach(hello.token, to: near)
        #expect(await near.next(where: { $0 == .attached(process: getpid()) }) != nil)
        far.dial(near, hello)
        #expect(await far.next(where: { $0 == .dialled }) != nil)
        #expect(try await app.answer() != nil)
        near.stop()
        #expect(await far.next() == .closed(.device, Failure(.deviceLost, "")))
        far.stop()
    }

    @Test func refusesMoreDevicesStreamsThanTheLimit() async throws {
        let nearKey = DeviceKey()
        let far = try await StreamFixture(members: [nearKey])
        let near = try await StreamFixture(key: nearKey, members: [far.key], streamsAtOnce: 1)
        far.dial(near, hello)
        #expect(await near.next() == .offered(hello, by: far.device))
        far.dial(near, StreamPath.hello())
        guard case .dialFailed? = await far.next() else { return #expect(Bool(false), "a second one was taken") }
        near.stop()
        far.stop()
    }

    // MARK: A member with invalid messages

    @Test func refusesBytesThatComeWithTheHello() async throws {
        let member = DeviceKey()
        let fixture = try await StreamFixture(members: [member])
        let answers = try await said(
            by: member, to: fixture,
            [try StreamMessage.hello(hello).framed(within: Self.limits), ByteBuffer(bytes: [1, 2, 3])])
        #expect(answers == .failure(Failure(.malformed, "")))
        #expect(await fixture.noEventArrived())
        fixture.stop()
    }

    @Test func refusesBytesThatComeBeforeReady() async throws {
        let member = DeviceKey()
        let fixture = try await StreamFixture(members: [member])
        let answer = try await said(
            by: member, to: fixture, [try StreamMessage.hello(hello).framed(within: Self.limits)]
        ) {
            #expect(await fixture.next() == .offered(hello, by: member.id))
            return ByteBuffer(bytes: [1])
        }
        #expect(answer == .failure(Failure(.malformed, "")))
        #expect(await fixture.next() == .closed(.device, Failure(.malformed, "")))
        fixture.stop()
    }

    @Test func refusesAStreamThatDoesNotBeginWithItsHello() async throws {
        let member = DeviceKey()
        let fixture = try await StreamFixture(members: [member])
        #expect(
            try await said(by: member, to: fixture, [try StreamMessage.ready(version: 1).framed(within: Self.limits)])
                == .failure(Failure(.malformed, "")))
        var newer = hello
        newer.minimumVersion = 9
        newer.maximumVersion = 9
        #expect(
            try await said(by: member, to: fixture, [try StreamMessage.hello(newer).framed(within: Self.limits)])
                == .failure(Failure(.versionUnsupported, "")))
        // Too long for a hello, so there is no answer.
        #expect(
            try await said(by: member, to: fixture, [ByteBuffer(integer: UInt32(Limits.streamFrameBytes + 1))]) == nil)
        fixture.stop()
    }

    /// Ends after the time limit of a handshake.
    @Test func aConnectionThatSaysNothingIsEnded() async throws {
        let member = DeviceKey()
        let fixture = try await StreamFixture(members: [member])
        let before = ContinuousClock.now
        #expect(try await said(by: member, to: fixture, []) == nil)
        #expect(before.duration(to: .now) >= .seconds(9))
        #expect(await fixture.noEventArrived())
        fixture.stop()
    }

    /// Nil if the connection ends without a frame.
    private func said(
        by member: DeviceKey, to fixture: StreamFixture, _ pieces: [ByteBuffer], then: () async -> ByteBuffer? = { nil }
    ) async throws -> StreamMessage? {
        let (messages, continuation) = AsyncStream.makeStream(of: StreamMessage.self)
        let credentials = try TLSCredentials(key: member, certificate: DeviceCertificate(selfSignedBy: member))
        let tls = NIOLoopBoundBox.makeBoxSendingValue(credentials, eventLoop: fixture.loop)
        let secret = try #require(member.callSecrets(with: fixture.key.publicKey)?.calling)
        let channel = try await ClientBootstrap(group: fixture.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try tls.value.diallingHandler(.stream) { _, promise in
                        promise.succeed(.certificateVerified)
                    }
                    let frames = FrameConnection<StreamMessage>(
                        channel: channel, rules: .init(.stream, own: .caller, lost: .deviceLost),
                        log: .init(label: "test"),
                        received: { continuation.yield($0) }, ended: { _ in continuation.finish() })
                    try channel.pipeline.syncOperations.addHandlers([
                        CallPlacing(secrets: [secret]), handler, frames,
                    ])
                }
            }
            .connect(to: fixture.address.socketAddress!).get()
        for piece in pieces { channel.write(piece, promise: nil) }
        channel.flush()
        if let more = await then() { channel.writeAndFlush(more, promise: nil) }
        var iterator = messages.makeAsyncIterator()
        let first = await iterator.next()
        channel.close(promise: nil)
        return first
    }
}
