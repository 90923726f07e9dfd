// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import HandoffNet

/// Questions to a real web server over real TLS, which the developer mode lets us reach on this machine.
@Suite(.timeLimit(.minutes(1))) struct SiteFetcherTests {
    private static let wellKnown = SitePlace.wellKnown.path
    private static let json = Array(#"{"activitycontinuation":{"apps":["ABCDE12345.com.example.notes"]}}"#.utf8)
    private static let good = SiteServer.Reply(
        headers: ["Content-Type": "application/json", "ETag": "\"1\"", "Set-Cookie": "a=b"], body: json)

    /// A town's authority, a server of the shop in it, and who asks and trusts that authority.
    private func town(
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
        let (server, asker) = try await town(reply, identity: identity)
        let (result, _) = try await asker.ask()
        #expect(result == .failure(SiteFailure(code, "")), sourceLocation: location)
        server.stop()
    }

    // Shows N07.
    @Test func aGoodSiteGivesItsFile() async throws {
        let (server, asker) = try await town(Self.good)
        let (result, lookups) = try await asker.ask()
        #expect(
            result == .success(.file(SiteFile(bytes: Self.json, form: .json, label: .right, etag: "\"1\""))))
        // A second lookup could give another address than the one that was judged.
        #expect(lookups == 1)
        server.stop()
    }

    @Test func nothingAboutTheUserGoesAlong() async throws {
        let (server, asker) = try await town(Self.good)
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
        #expect(try await asker.ask(.wellKnown).result == .failure(SiteFailure(.absent, "")))
        let file = SiteFile(bytes: Self.json, form: .json, label: .missing, etag: nil)
        #expect(try await asker.ask(.root).result == .success(.file(file)))
        #expect(server.requests.map(\.path) == SitePlace.allCases.map(\.path))
        server.stop()
    }

    // Shows N08.
    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsNotFollowed(_ status: Int) async throws {
        let (server, asker) = try await town(
            SiteServer.Reply(status: status, headers: ["Location": "https://\(SiteAsker.host)/elsewhere"]))
        let (result, _) = try await asker.ask()
        guard case .failure(let failure) = result else { return #expect(Bool(false), "\(result)") }
        #expect(failure.code == .redirected)
        #expect(failure.reason == "it redirects (\(status)), which does not count")
        #expect(server.connections == 1)
        server.stop()
    }

    // Shows N08.
    @Test func anExpiredCertificateIsRefused() async throws {
        let authority = try SiteAuthority()
        let expired = try authority.identity(of: SiteAsker.host, until: .lastYear)
        let server = SiteServer(expired, replies: [Self.wellKnown: Self.good])
        let asker = SiteAsker(port: try await server.start(), roots: [authority.root])
        #expect(try await asker.ask().result == .failure(SiteFailure(.badCertificate, "")))
        // Not a byte of the question went there.
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
        let (result, _) = try await asker.ask()
        guard case .failure(let failure) = result else { return #expect(Bool(false), "\(result)") }
        #expect(failure.code == .badCertificate)
        #expect(failure.reason == "its certificate is for another host")
        #expect(server.requests.isEmpty)
        server.stop()
    }

    // Shows N08.
    @Test func withoutTLSThereIsNoAnswer() async throws {
        let server = SiteServer(nil, replies: [Self.wellKnown: Self.good])
        let asker = SiteAsker(port: try await server.start())
        #expect(try await asker.ask().result == .failure(SiteFailure(.unreachable, "")))
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test func aFileOverTheLimitIsCutOff() async throws {
        let large = Array(repeating: UInt8(ascii: " "), count: Limits.associationBytes + 1)
        // In pieces of unsaid length, and with the length said.
        try await expect(.tooLarge, of: SiteServer.Reply(body: large))
        try await expect(
            .tooLarge, of: SiteServer.Reply(headers: ["Content-Length": "\(large.count)"], body: large))
    }

    @Test func aFileAtTheLimitIsTaken() async throws {
        let body = Array(repeating: UInt8(ascii: " "), count: Limits.associationBytes)
        let (server, asker) = try await town(SiteServer.Reply(body: body))
        let (result, _) = try await asker.ask()
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

    @Test func whatIsCutOffIsNoFile() async throws {
        try await expect(
            .malformed,
            of: SiteServer.Reply(headers: ["Content-Length": "1000"], body: Self.json, isCutOff: true))
    }

    @Test func whatIsCompressedIsRefused() async throws {
        try await expect(
            .encoded, of: SiteServer.Reply(headers: ["Content-Encoding": "gzip"], body: [0x1F, 0x8B]))
    }

    @Test func aServerInTroubleIsNoAnswer() async throws {
        try await expect(.inTrouble, of: SiteServer.Reply(status: 503))
    }

    @Test func aSlowSiteIsGivenUp() async throws {
        var (server, asker) = try await town(nil)
        asker.time = .milliseconds(300)
        #expect(try await asker.ask().result == .failure(SiteFailure(.timedOut, "")))
        server.stop()
    }

    // Shows N12.
    @Test func aFileThatIsAsItWasIsNotSentAgain() async throws {
        let (server, asker) = try await town(SiteServer.Reply(status: 304, headers: ["ETag": "\"1\""]))
        #expect(try await asker.ask(etag: "\"1\"").result == .success(.unchanged))
        #expect(try await asker.ask().result == .failure(SiteFailure(.malformed, "")))
        server.stop()
    }

    // Shows N08.
    @Test func thisMachineIsNotAskedWithoutDeveloperMode() async throws {
        let (server, asker) = try await town(Self.good)
        #expect(try await asker.ask(reach: .internet).result == .failure(SiteFailure(.privateAddress, "")))
        #expect(server.connections == 0)
        server.stop()
    }

    @Test func aNameWithoutAnAddressIsSaidToBeUnknown() async throws {
        #expect(try await SiteAsker(addresses: []).ask().result == .failure(SiteFailure(.nameUnknown, "")))
    }

    @Test func theNextAddressIsTriedWhereNobodyListens() async throws {
        var (server, asker) = try await town(Self.good)
        // The server listens at one address of this machine alone.
        asker.addresses = ["127.0.0.2", "127.0.0.1"]
        guard case .success(.file) = try await asker.ask().result else { return #expect(Bool(false), "no file") }
        asker.addresses = ["127.0.0.2"]
        #expect(try await asker.ask().result == .failure(SiteFailure(.unreachable, "")))
        server.stop()
    }
}
