// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import NIOCore
import NIOPosix
import NIOSSL
import TestPrograms
import Testing

@testable import HandoffHost

/// Requests to a real web server over real TLS. Developer mode permits addresses of this machine.
@Suite(.timeLimit(.minutes(1))) struct SiteProgramTests {
    private static let wellKnown = SitePlace.wellKnown.path
    private static let json = Array(#"{"activitycontinuation":{"apps":["ABCDE12345.com.example.notes"]}}"#.utf8)
    private static let good = SiteServer.Reply(
        headers: ["Content-Type": "application/json", "ETag": "\"1\"", "Set-Cookie": "a=b"], body: json)

    /// A server of the site, and a client that trusts the site's authority.
    private func simulation(
        _ reply: SiteServer.Reply?, identity: SiteAuthority.Identity? = nil
    ) async throws -> (server: SiteServer, asker: SiteAsker) {
        let authority = try SiteAuthority()
        let server = SiteServer(
            try identity ?? authority.identity(of: SiteAsker.host), replies: reply.map { [Self.wellKnown: $0] } ?? [:])
        return (server, SiteAsker(port: try await server.start(), roots: [authority.root]))
    }

    private func expect(
        _ code: SiteFailure.Code, of reply: SiteServer.Reply?, identity: SiteAuthority.Identity? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let (server, asker) = try await simulation(reply, identity: identity)
        let result = try await asker.ask()
        #expect(result == .failure(SiteFailure(code, "")), sourceLocation: location)
        server.stop()
    }

    // Shows N07.
    @Test func aGoodSiteGivesItsFile() async throws {
        let (server, asker) = try await simulation(Self.good)
        let result = try await asker.ask()
        #expect(
            result == .success(.file(SiteFile(bytes: Self.json, form: .json, label: .right, etag: "\"1\""))))
        // DNS does not have this name, so the connection used the checked address without another lookup.
        server.stop()
    }

    @Test func requestsRevealNothingAboutTheUser() async throws {
        let (server, asker) = try await simulation(Self.good)
        _ = try await asker.ask()
        _ = try await asker.ask(etag: "\"1\"")
        let requests = server.requests
        let head = [
            "Host": "\(SiteAsker.host):\(asker.port)", "User-Agent": "Handoff",
            "Accept": "application/json, application/pkcs7-mime", "Connection": "close",
        ]
        #expect(requests.map(\.method) == ["GET", "GET"])
        #expect(requests.map(\.headers) == [head, head.merging(["If-None-Match": "\"1\""]) { $1 }])
        server.stop()
    }

    // Shows N07.
    @Test func theRootIsAnotherQuestion() async throws {
        let authority = try SiteAuthority()
        let server = SiteServer(
            try authority.identity(of: SiteAsker.host),
            replies: [
                Self.wellKnown: SiteServer.Reply(status: 404, body: Array("<html>".utf8)),
                SitePlace.root.path: SiteServer.Reply(body: Self.json),
            ])
        let asker = SiteAsker(port: try await server.start(), roots: [authority.root])
        #expect(try await asker.ask(.wellKnown) == .failure(SiteFailure(.absent, "")))
        let file = SiteFile(bytes: Self.json, form: .json, label: .missing, etag: nil)
        #expect(try await asker.ask(.root) == .success(.file(file)))
        #expect(server.requests.map(\.path) == SitePlace.allCases.map(\.path))
        server.stop()
    }

    // Shows N08.
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsNotFollowed(_ status: Int) async throws {
        let (server, asker) = try await simulation(
            SiteServer.Reply(status: status, headers: ["Location": "https://\(SiteAsker.host)/elsewhere"]))
        let result = try await asker.ask()
        guard case .failure(let failure) = result else { return #expect(Bool(false), "\(result)") }
        #expect(failure.code == .redirected)
        #expect(failure.reason == "it redirects (\(status)), which is not followed")
        #expect(server.connections == 1)
        server.stop()
    }

    // Shows N08.
    @Test func anExpiredCertificateIsRefused() async throws {
        let authority = try SiteAuthority()
        let expired = try authority.identity(of: SiteAsker.host, until: .lastYear)
        let server = SiteServer(expired, replies: [Self.wellKnown: Self.good])
        let asker = SiteAsker(port: try await server.start(), roots: [authority.root])
        #expect(try await asker.ask() == .failure(SiteFailure(.badCertificate, "")))
        // Not even the request was sent.
        #expect(server.requests.isEmpty)
        server.stop()
    }

    // Shows N08.
    @Test func aCertificateOfAStrangersAuthorityIsRefused() async throws {
        try await expect(
            .badCertificate, of: Self.good, identity: try SiteAuthority("Elsewhere").identity(of: SiteAsker.host))
    }

    // Shows N08.
    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let authority = try SiteAuthority()
        let server = SiteServer(
            try authority.identity(of: "bank.example.com"), replies: [Self.wellKnown: Self.good])
        let asker = SiteAsker(port: try await server.start(), roots: [authority.root])
        let result = try await asker.ask()
        guard case .failure(let failure) = result else { return #expect(Bool(false), "\(result)") }
        #expect(failure.code == .badCertificate)
        #expect(failure.reason == "its certificate is for another host")
        #expect(server.requests.isEmpty)
        server.stop()
    }

    // Shows N08.
    @Test func siteWithoutTLSIsUnreachable() async throws {
        let server = SiteServer(nil, replies: [Self.wellKnown: Self.good])
        let asker = SiteAsker(port: try await server.start())
        #expect(try await asker.ask() == .failure(SiteFailure(.unreachable, "")))
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test func aFileOverTheLimitIsCutOff() async throws {
        let large = Array(repeating: UInt8(ascii: " "), count: Limits.associationBytes + 1)
        // First in chunks without a total length, then with a length.
        try await expect(.tooLarge, of: SiteServer.Reply(body: large))
        try await expect(
            .tooLarge, of: SiteServer.Reply(headers: ["Content-Length": "\(large.count)"], body: large))
    }

    @Test func aFileAtTheLimitIsTaken() async throws {
        let body = Array(repeating: UInt8(ascii: " "), count: Limits.associationBytes)
        let (server, asker) = try await simulation(SiteServer.Reply(body: body))
        let result = try await asker.ask()
        guard case .success(.file(let file)) = result else { return #expect(Bool(false), "\(result)") }
        #expect(file.bytes == body)
        server.stop()
    }

    @Test func aHeadThatDoesNotEndIsCutOff() async throws {
        let endless = SiteServer.Reply(
            headers: Dictionary(
                uniqueKeysWithValues: (0..<200).map { ("X-\($0)", String(repeating: "a", count: 2000)) }),
            body: Self.json)
        try await expect(.tooLarge, of: endless)
    }

    @Test func truncatedFileIsMalformed() async throws {
        try await expect(
            .malformed,
            of: SiteServer.Reply(headers: ["Content-Length": "1000"], body: Self.json, isCutOff: true))
    }

    @Test func compressedFileIsRejected() async throws {
        try await expect(
            .encoded, of: SiteServer.Reply(headers: ["Content-Encoding": "gzip"], body: [0x1F, 0x8B]))
    }

    @Test func serverErrorIsNotAnAnswer() async throws {
        try await expect(.inTrouble, of: SiteServer.Reply(status: 503))
    }

    @Test func aSlowSiteIsGivenUp() async throws {
        var (server, asker) = try await simulation(nil)
        asker.time = .milliseconds(300)
        #expect(try await asker.ask() == .failure(SiteFailure(.timedOut, "")))
        server.stop()
    }

    // Shows N12.
    @Test func aFileThatIsAsItWasIsNotSentAgain() async throws {
        let (server, asker) = try await simulation(SiteServer.Reply(status: 304, headers: ["ETag": "\"1\""]))
        #expect(try await asker.ask(etag: "\"1\"") == .success(.unchanged))
        #expect(try await asker.ask() == .failure(SiteFailure(.malformed, "")))
        server.stop()
    }

    // Shows N08.
    @Test func thisMachineIsNotAskedWithoutDeveloperMode() async throws {
        let (server, asker) = try await simulation(Self.good)
        #expect(try await asker.ask(reach: .internet) == .failure(SiteFailure(.privateAddress, "")))
        #expect(server.connections == 0)
        server.stop()
    }

    @Test func aNameWithoutAnAddressIsUnknown() async throws {
        #expect(try await SiteAsker(addresses: ["nowhere"]).ask() == .failure(SiteFailure(.nameUnknown, "")))
    }

    private func failure(of asker: SiteAsker) async throws -> SiteFailure {
        switch try await asker.ask() {
        case .failure(let failure): return failure
        case .success(let answer): throw SiteFailure(.unreadable, "it answered: \(answer)")
        }
    }

    // Shows N08: the daemon gets a reason, even if the fetching program fails.
    @Test func aProgramThatIsNotThereIsNamed() async throws {
        let failure = try await failure(of: SiteAsker(path: "/nowhere/handoff-web-fetch"))
        #expect(failure.code == .unreachable)
        #expect(failure.reason == "it cannot be asked: /nowhere/handoff-web-fetch: No such file or directory")
        let problems = SiteProgram(path: "/nowhere/handoff-web-fetch", in: SiteProgram.Surroundings()) { $0() }.problems
        #expect(
            problems == [
                "web sites cannot be asked which apps they trust: /nowhere/handoff-web-fetch: No such file or directory"
            ])
        #expect(SiteProgram(path: SiteAsker.program, in: SiteProgram.Surroundings()) { $0() }.problems.isEmpty)
    }

    private func program(_ script: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "handoff-fetch-\(UUID().uuidString)")
        // Written by another process: a child of a parallel test could inherit the open file, and a file that is open
        // for writing cannot be executed.
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\" && chmod 755 \"$2\""
        try #require(Program.run(["sh", "-c", write, "sh", script, file.path]) == 0)
        return file.path
    }

    // Shows N08.
    @Test(arguments: [
        ("kill -SEGV $$", "it cannot be asked: handoff-web-fetch crashed (signal 11)"),
        ("cat >/dev/null; exit 3", "it cannot be asked: handoff-web-fetch ended without a report (3)"),
        ("cat >/dev/null; echo what", "it cannot be asked: handoff-web-fetch ended without a report (0)"),
    ])
    func aProgramThatSaysNothingOfUseIsNamed(_ script: String, _ reason: String) async throws {
        let path = try program(script)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let failure = try await failure(of: SiteAsker(path: path))
        #expect(failure.code == .unreachable)
        #expect(failure.reason == reason)
    }

    @Test func aProgramThatDoesNotEndIsGivenUp() async throws {
        let path = try program("exec sleep 60")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(
            try await SiteAsker(time: .milliseconds(300), path: path).ask() == .failure(SiteFailure(.timedOut, "")))
    }

    @Test func aProgramThatSaysTooMuchIsGivenUp() async throws {
        let path = try program("exec cat /dev/zero")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try await failure(of: SiteAsker(path: path)).code == .unreachable)
    }

    @Test func theNextAddressIsTriedIfNoServerListens() async throws {
        var (server, asker) = try await simulation(Self.good)
        // The server listens only on one address.
        asker.addresses = ["127.0.0.2", "127.0.0.1"]
        guard case .success(.file) = try await asker.ask() else { return #expect(Bool(false), "no file") }
        asker.addresses = ["127.0.0.2"]
        #expect(try await asker.ask() == .failure(SiteFailure(.unreachable, "")))
        server.stop()
    }
}
