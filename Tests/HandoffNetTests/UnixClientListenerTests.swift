// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffDaemon
import HandoffSystem
import HandoffWire
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HandoffNet

/// Shows T10: the daemon's socket, on a real one.
@Suite(.timeLimit(.minutes(1))) struct UnixClientListenerTests {
    private enum Event: Sendable, Equatable {
        case accepted(process: Int32, program: RunningProgram?)
        case received(LocalFrame)
        case caughtUp
        case closed(Failure?)
    }

    private final class Ear: ClientListenerHandler {
        let listener: UnixClientListener
        let events: AsyncStream<Event>.Continuation
        var links: [any ClientLink] = []

        init(_ listener: UnixClientListener, _ events: AsyncStream<Event>.Continuation) {
            self.listener = listener
            self.events = events
        }

        func clientAccepted(_ link: any ClientLink) {
            links.append(link)
            events.yield(.accepted(process: link.processID, program: link.program))
        }
        func frameReceived(_ frame: LocalFrame, on link: any ClientLink) { events.yield(.received(frame)) }
        func clientCaughtUp(_ link: any ClientLink) { events.yield(.caughtUp) }
        func clientClosed(_ link: any ClientLink, failure: Failure?) { events.yield(.closed(failure)) }
    }

    private struct Daemon {
        let path: String
        let loop: any EventLoop
        let ear: NIOLoopBound<Ear>
        var events: AsyncStream<Event>.Iterator

        init(path: String = temporaryPath(), userID: UInt32 = getuid(), accepts: Bool = true) async throws {
            self.path = path
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            self.loop = loop
            let (events, continuation) = AsyncStream.makeStream(of: Event.self)
            self.events = events.makeAsyncIterator()
            ear = try await loop.submit {
                let listener = UnixClientListener(
                    path: path, loop: loop, userID: getuid(),
                    log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                    credentials: {
                        var credentials = PeerCredentials(socket: $0)
                        credentials?.userID = userID
                        return credentials
                    })
                let ear = Ear(listener, continuation)
                listener.handler = ear
                try listener.start()
                if accepts { listener.accept() }
                return NIOLoopBound(ear, eventLoop: loop)
            }.get()
        }

        static func temporaryPath() -> String {
            var template = Array("/tmp/handoff-XXXXXX".utf8CString)
            mkdtemp(&template)
            return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
                + "/run/daemon.sock"
        }

        func connect() async throws -> any Channel {
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path).get()
        }

        func accept() async throws { try await loop.submit { [ear] in ear.value.listener.accept() }.get() }
        func stop() async throws { try await loop.submit { [ear] in ear.value.listener.stop() }.get() }
    }

    private let status = LocalFrame(.status(.getStatus), request: 7)
    private var statusBytes: ByteBuffer {
        get throws { ByteBuffer(bytes: try FrameHeader.framed(status.encoded(), limit: Limits.frameBytes)) }
    }

    @Test func knowsWhoConnectsAndCarriesFrames() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        #expect(await daemon.events.next() == .accepted(process: getpid(), program: try RunningProgram.thisProcess))
        try await client.writeAndFlush(statusBytes).get()
        #expect(await daemon.events.next() == .received(status))
        client.close(promise: nil)
        #expect(await daemon.events.next() == .closed(nil))
        try await daemon.stop()
    }

    @Test func socketThatIsRemovedIsMadeAgainAndClientsStay() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        _ = await daemon.events.next()
        #expect(unlink(daemon.path) == 0)
        try await daemon.loop.submit { [ear = daemon.ear] in try ear.value.listener.restore() }.get()
        let second = try await daemon.connect()
        #expect(await daemon.events.next() == .accepted(process: getpid(), program: try RunningProgram.thisProcess))
        try await client.writeAndFlush(statusBytes).get()
        #expect(await daemon.events.next() == .received(status))
        try await daemon.stop()
        #expect(!daemon.path.isThere)
        for channel in [client, second] { try await channel.closeFuture.get() }
    }

    @Test func connectionsAreHeldUntilTheyAreAccepted() async throws {
        var daemon = try await Daemon(accepts: false)
        let early = try await daemon.connect()
        try await early.writeAndFlush(statusBytes).get()
        try await daemon.accept()
        #expect(await daemon.events.next() == .accepted(process: getpid(), program: try RunningProgram.thisProcess))
        #expect(await daemon.events.next() == .received(status))
        try await daemon.stop()
        try await early.closeFuture.get()
    }

    @Test func socketThatIsRemovedBeforeItAcceptsIsMadeAgain() async throws {
        var daemon = try await Daemon(accepts: false)
        #expect(unlink(daemon.path) == 0)
        try await daemon.loop.submit { [ear = daemon.ear] in try ear.value.listener.restore() }.get()
        let client = try await daemon.connect()
        try await daemon.accept()
        #expect(await daemon.events.next() == .accepted(process: getpid(), program: try RunningProgram.thisProcess))
        try await daemon.stop()
        #expect(!daemon.path.isThere)
        try await client.closeFuture.get()
    }

    @Test func refusesAnotherUserBeforeReadingAByte() async throws {
        let daemon = try await Daemon(userID: getuid() + 1)
        let client = try await daemon.connect()
        client.writeAndFlush(try statusBytes, promise: nil)
        try await client.closeFuture.get()
        let nobody = try await daemon.loop.submit { [ear = daemon.ear] in ear.value.links.isEmpty }.get()
        #expect(nobody)
        try await daemon.stop()
    }

    @Test func lastWordsArriveBeforeTheEnd() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        _ = await daemon.events.next()
        try await client.writeAndFlush(ByteBuffer(bytes: [0xFF, 0xFF, 0xFF, 0xFF])).get()
        #expect(await daemon.events.next() == .closed(Failure(.limitReached, "")))
        try await client.closeFuture.get()
        try await daemon.stop()
    }

    /// As bytes, because the library cannot produce invalid messages.
    private func frame(_ body: [UInt8]) throws -> ByteBuffer {
        ByteBuffer(bytes: try FrameHeader.framed(body, limit: Limits.frameBytes))
    }

    @Test func aRequestThatCannotBeReadIsDeliveredWithTheReason() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        _ = await daemon.events.next()
        let activity = ActivityID(uncheckedBytes: Array(repeating: 1, count: 16))
        let type = "com.example.a"
        let publication = Publication(activity: activity, type: try ActivityType(type), title: nil)
        var bytes = try LocalFrame(.advertising(.publish(publication)), request: 5).encoded()
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) })
        // Within a type, which must not contain blanks.
        bytes[at] = UInt8(ascii: " ")
        try await client.writeAndFlush(frame(bytes)).get()
        guard case .received(let received)? = await daemon.events.next(),
            case .unreadable(let kind, let failure) = received.message
        else {
            Issue.record("it is not delivered")
            return
        }
        // Permissions are checked first, so the kind is known.
        #expect(received.request == 5 && kind.permission == .everybody)
        #expect(failure.code == .malformed && !failure.reason.isEmpty)
        try await client.writeAndFlush(statusBytes).get()
        #expect(await daemon.events.next() == .received(status))
        client.close(promise: nil)
        try await daemon.stop()
    }

    /// The app stays connected, and the requester learns why there is no state.
    @Test func aStateOverTheLimitIsAFailureOfItsSize() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        _ = await daemon.events.next()
        var state = ActivityState(type: try ActivityType("com.example.a"))
        state.title = String(repeating: "a", count: Limits.titleBytes)
        let saved = LocalFrame(.advertising(.saved(state, saving: .zero)), answer: 9)
        var bytes = try saved.encoded()
        try await client.writeAndFlush(frame(bytes)).get()
        #expect(await daemon.events.next() == .received(saved))
        // Too long, as another library may send it.
        state.title?.append("a")
        bytes = try LocalFrame(.advertising(.saved(state, saving: .zero)), answer: 9).encoded()
        try await client.writeAndFlush(frame(bytes)).get()
        #expect(await daemon.events.next() == .received(LocalFrame(.failure(Failure(.payloadTooLarge, "")), answer: 9)))
        client.close(promise: nil)
        try await daemon.stop()
    }

    @Test func aNoticeThatCannotBeReadEndsTheConnection() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        _ = await daemon.events.next()
        // A message of five bytes that are missing.
        try await client.writeAndFlush(frame([0x52, 0x05])).get()
        #expect(await daemon.events.next() == .closed(Failure(.malformed, "")))
        try await client.closeFuture.get()
        try await daemon.stop()
    }

    @Test func cutsOffAClientThatDoesNotRead() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        try await client.setOption(.autoRead, value: false).get()
        _ = await daemon.events.next()
        let long = LocalFrame(.failure(Failure(.internal, String(repeating: "x", count: Limits.reasonCharacters))))
        daemon.loop.execute { [ear = daemon.ear] in
            for _ in 0..<20_000 { ear.value.links.first?.send(long) }
        }
        #expect(await daemon.events.next() == .closed(Failure(.limitReached, "")))
        client.close(promise: nil)
        try await daemon.stop()
    }

    @Test func saysWhoIsBehindAndWhenItHasCaughtUp() async throws {
        var daemon = try await Daemon()
        let client = try await daemon.connect()
        try await client.setOption(.autoRead, value: false).get()
        _ = await daemon.events.next()
        let long = LocalFrame(.failure(Failure(.internal, String(repeating: "x", count: Limits.reasonCharacters))))
        let sent = try await daemon.loop.submit { [ear = daemon.ear] in
            guard let link = ear.value.links.first else { return 0 }
            var sent = 0
            while !link.isBehind, sent < 20_000 {
                link.send(long)
                sent += 1
            }
            return sent
        }.get()
        #expect((1..<20_000).contains(sent))
        try await client.setOption(.autoRead, value: true).get()
        #expect(await daemon.events.next() == .caughtUp)
        let isBehind = try await daemon.loop.submit { [ear = daemon.ear] in ear.value.links.first?.isBehind }.get()
        #expect(isBehind == false)
        client.close(promise: nil)
        try await daemon.stop()
    }

    @Test func refusesMoreProgramsThanTheLimit() async throws {
        var daemon = try await Daemon()
        var clients: [any Channel] = []
        for _ in 0..<UnixClientListener.clients {
            clients.append(try await daemon.connect())
            _ = await daemon.events.next()
        }
        try await daemon.connect().closeFuture.get()
        for client in clients { client.close(promise: nil) }
        try await daemon.stop()
    }

    @Test func replacesTheSocketOfADeadDaemon() async throws {
        let path = Daemon.temporaryPath()
        mkdir(String(path.dropLast("/daemon.sock".count)), 0o700)
        let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address = try #require(sockaddr_un(path: path))
        #expect(address.withSocketAddress { bind(dead, $0, $1) } == 0)
        #expect(listen(dead, 1) == 0)
        close(dead)
        var daemon = try await Daemon(path: path)
        let client = try await daemon.connect()
        guard case .accepted? = await daemon.events.next() else { return #expect(Bool(false), "not accepted") }
        client.close(promise: nil)
        try await daemon.stop()
        #expect(access(daemon.path, F_OK) != 0)
    }

    // Shows L04: a service manager's socket, because the daemon's lock is held.
    @Test func leavesASocketWithAListenerAlone() async throws {
        var listening = try await Daemon()
        let path = listening.path
        let failure = await #expect(throws: Failure.self) { _ = try await Daemon(path: path) }
        #expect(failure?.code == .notAllowed)
        #expect(failure?.reason.contains("systemctl --user start handoffd") == true)
        let client = try await listening.connect()
        guard case .accepted? = await listening.events.next() else { return #expect(Bool(false), "not accepted") }
        client.close(promise: nil)
        try await listening.stop()
    }

    @Test func refusesADirectoryThatOthersCanEnter() async throws {
        let path = Daemon.temporaryPath()
        mkdir(String(path.dropLast("/daemon.sock".count)), 0o755)
        let failure = await #expect(throws: Failure.self) { _ = try await Daemon(path: path) }
        #expect(failure?.code == .stateNotWritable)
        #expect(failure?.reason.contains("/run") == true)
    }

    @Test func refusesToReplaceWhatIsNotASocket() async throws {
        let path = Daemon.temporaryPath()
        mkdir(String(path.dropLast("/daemon.sock".count)), 0o700)
        close(creat(path, 0o600))
        await #expect(throws: Failure(.stateNotWritable, "")) { _ = try await Daemon(path: path) }
    }
}
