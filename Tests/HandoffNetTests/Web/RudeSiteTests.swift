// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffNet
import HandoffWire
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import HandoffHost

/// Sites that violate HTTP, and the guarantees for any site. Shows N08.
@Suite(.timeLimit(.minutes(1))) struct RudeSiteTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    private func ask(
        _ site: (SiteAuthority) throws -> RudeSite
    ) async throws -> Result<SiteAnswer, SiteFailure> {
        let authority = try SiteAuthority()
        let site = try site(authority)
        defer { site.stop() }
        return try await SiteAsker(port: try await site.start(), roots: [authority.root]).ask()
    }

    private func failure(of site: (SiteAuthority) throws -> RudeSite) async throws -> SiteFailure {
        switch try await ask(site) {
        case .failure(let failure): return failure
        case .success(let answer): throw SiteFailure(.unreadable, "it answered: \(answer)")
        }
    }

    // Shows N12: a server that hangs up has not proved its identity.
    @Test func closeDuringHandshakeIsNotAnAnswer() async throws {
        let failure = try await failure { _ in RudeSite(nil, greeting: nil) }
        #expect([.unreachable, .malformed].contains(failure.code))
        #expect(!failure.reason.contains("("))
    }

    /// The unsolicited answer may arrive together with the request.
    @Test func unsolicitedAnswerIsHarmless() async throws {
        switch try await ask({ RudeSite(try $0.identity(of: SiteAsker.host), greeting: Self.answer) }) {
        case .success(.file(let file)): #expect(file.bytes == Array("{}".utf8))
        case .success(.unchanged): #expect(Bool(false), "nobody asked so")
        case .failure(let failure): #expect(failure.code == .malformed)
        }
    }

    @Test func nonHTTPAnswerIsMalformed() async throws {
        let failure = try await failure { RudeSite(try $0.identity(of: SiteAsker.host), answer: "220 mail\r\n\r\n") }
        #expect(failure.code == .malformed)
        #expect(failure.reason == "it does not speak HTTP")
    }

    /// `|` is the end of a line. Nil: the file is used.
    @Test(
        arguments: [
            ("HTTP/1.1 100 Continue||HTTP/1.1 103 Early Hints|Link: </a>||HTTP/1.1 200 OK|Content-Length: 2||{}", nil),
            ("HTTP/1.1 200 OK|Content-Length: 2||{}HTTP/1.1 200 OK|Content-Length: 2||{}", nil),
            ("HTTP/1.1 200 OK|Content-Length: 2||{}and more", nil),
            ("HTTP/1.1 101 Switching Protocols|Connection: Upgrade|Upgrade: a||abc", .malformed),
            ("HTTP/1.1 204 No Content||", .absent),
            ("HTTP/1.1 999 OK|Content-Length: 0||", .malformed),
            ("HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3||{}", .malformed),
            ("HTTP/1.1 200 OK|Content-Length: -1||{}", .malformed),
            ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|{}|", .malformed),
            ("PRI * HTTP/2.0||SM||", .malformed),
        ] as [(String, SiteFailure.Code?)])
    func anyResponseGivesOneAnswer(_ text: String, _ code: SiteFailure.Code?) async throws {
        let answer = text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\r\n")
        let result = try await ask { RudeSite(try $0.identity(of: SiteAsker.host), answer: answer) }
        switch result {
        case .success(.file(let file)): #expect(code == nil && file.bytes == Array("{}".utf8))
        case .success(.unchanged): #expect(Bool(false), "nobody asked so")
        case .failure(let failure): #expect(failure.code == code, "\(failure)")
        }
    }

    /// A small file in pieces with long chunk extensions.
    @Test func chunkHeadersAreLimitedToo() async throws {
        let piece = "1;" + String(repeating: "a", count: 1000) + "\r\n \r\n"
        let flood = String(repeating: piece, count: SiteLimits.answerBytes / 1000)
        let failure = try await failure {
            RudeSite(
                try $0.identity(of: SiteAsker.host),
                answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + flood)
        }
        #expect(failure.code == .tooLarge)
    }

    /// Checked while it waits for an answer.
    @Test func theProgramThatAsksHasGivenUpWhatItCan() async throws {
        let authority = try SiteAuthority()
        let site = RudeSite(try authority.identity(of: SiteAsker.host), answer: "")
        let asker = SiteAsker(port: try await site.start(), roots: [authority.root])
        async let result = asker.ask()
        try await site.asked.get()
        // Other tests have programs with the same name. A program that has just started will drop its privileges soon,
        // but the waiting program does not change.
        let deadline = ContinuousClock.now + .seconds(10)
        var kept = ["no such program"]
        while !kept.isEmpty, ContinuousClock.now < deadline {
            await Task.yield()
            let programs = Self.children().filter { Self.read("/proc/\($0)/comm") == "handoff-web-fet\n" }
            if !programs.isEmpty { kept = programs.flatMap(Self.missingRestrictions) }
        }
        #expect(kept == [])
        site.hangUp()
        guard case .failure(let failure) = try await result else { return #expect(Bool(false), "it was answered") }
        #expect(failure.code == .malformed)
        site.stop()
    }

    private static func read(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func missingRestrictions(_ process: String) -> [String] {
        let status = read("/proc/\(process)/status") + read("/proc/\(process)/limits")
        let lines = Set(
            status.split(separator: "\n").map { line in
                line.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            })
        return [
            "NoNewPrivs: 1", "Max core file size 0 0 bytes", "Max file size 0 0 bytes", "Max processes 0 0 processes",
            "Max open files 64 64 files",
        ].filter { !lines.contains($0) }
    }

    /// By parent process, because /proc lists children by thread, and the starting thread may have ended.
    private static func children() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { read("/proc/\($0)/status").contains("\nPPid:\t\(getpid())\n") }
    }

    @Test func stoppedFetchIsNotAnsweredAndLeavesNoProgram() async throws {
        let authority = try SiteAuthority()
        let site = RudeSite(try authority.identity(of: SiteAsker.host), answer: "")
        let port = try await site.start()
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = threads.next()
        // The waiting thread notices the program's end after the site does, perhaps when the loop is gone.
        let gate = LoopGate(to: loop)
        let hasAnswered = Mutex(false)
        let host = try WebHost(SiteAsker.host)
        let surroundings = SiteAsker(port: port, roots: [authority.root]).surroundings
        let program = try await loop.submit {
            let program = SiteProgram(path: SiteAsker.program, in: surroundings, onLoop: gate.pass)
            program.fetch(SiteFetch(id: 1, site: Site(host, reach: .anywhere), place: .root)) { _ in
                hasAnswered.withLock { $0 = true }
            }
            return NIOLoopBound(program, eventLoop: loop)
        }.get()
        try await site.asked.get()
        try await loop.submit { program.value.stop() }.get()
        try await site.left.get()
        gate.close()
        try await threads.shutdownGracefully()
        #expect(!hasAnswered.withLock { $0 })
        site.stop()
    }
}

private final class RudeSite: Sendable {
    struct NobodyCame: Error {}

    /// The first bytes of a request arrived. Fails after a time limit, because a future does not end with its test.
    let asked: EventLoopFuture<Void>
    /// The client disconnected. Otherwise like `asked`.
    let left: EventLoopFuture<Void>

    private let identity: SiteAuthority.Identity?
    private let greeting: String?
    private let answer: String
    private let asking: EventLoopPromise<Void>
    private let leaving: EventLoopPromise<Void>
    private let listener = Mutex<(any Channel)?>(nil)
    private let caller = Mutex<(any Channel)?>(nil)

    /// `greeting` is sent before any request, `answer` after the first bytes of a request. `greeting` nil: hangs up
    /// immediately.
    init(_ identity: SiteAuthority.Identity?, greeting: String? = "", answer: String = "") {
        self.identity = identity
        self.greeting = greeting
        self.answer = answer
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        asking = loop.makePromise()
        leaving = loop.makePromise()
        asked = asking.futureResult
        left = leaving.futureResult
        loop.scheduleTask(in: .seconds(30)) { [asking, leaving] in
            asking.fail(NobodyCame())
            leaving.fail(NobodyCame())
        }
    }

    /// Returns the port, on 127.0.0.1.
    func start() async throws -> Int {
        let channel = try await SiteAuthority.Identity.listen(as: identity) { [self] channel in
            try channel.pipeline.syncOperations.addHandler(Mouth(self))
        }
        listener.withLock { $0 = channel }
        return channel.localAddress?.port ?? 0
    }

    /// On the most recent client.
    func hangUp() { caller.withLock { $0 }?.close(promise: nil) }

    func stop() {
        listener.withLock { $0 }?.close(promise: nil)
        asking.succeed()
        leaving.succeed()
    }

    private final class Mouth: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let site: RudeSite
        private var isAsked = false

        init(_ site: RudeSite) { self.site = site }

        private func say(_ text: String, on context: ChannelHandlerContext) {
            guard !text.isEmpty else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }

        func channelActive(context: ChannelHandlerContext) {
            guard let greeting = site.greeting else { return context.close(promise: nil) }
            say(greeting, on: context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isAsked else { return }
            isAsked = true
            site.caller.withLock { $0 = context.channel }
            site.asking.succeed()
            say(site.answer, on: context)
        }

        func channelInactive(context: ChannelHandlerContext) { site.leaving.succeed() }

        /// Clients may hang up at any time.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
