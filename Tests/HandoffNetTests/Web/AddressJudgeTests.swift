// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSiteMessages
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HandoffWebFetch

/// Shows N08: no site can make this device contact its own network through NAT64.
@Suite(.timeLimit(.minutes(1))) struct AddressJudgeTests {
    private final class NameServer {
        var answer: [String]?
        private(set) var questions = 0

        init(_ answer: [String]?) { self.answer = answer }

        func lookUp() -> [InternetAddress]? {
            questions += 1
            return answer?.compactMap(InternetAddress.init)
        }
    }

    private func judge(_ nameServer: NameServer, own: [String] = []) -> AddressJudge {
        AddressJudge(own: Set(own.compactMap { InternetAddress($0)?.number }), lookUp: nameServer.lookUp)
    }

    private func allows(_ judge: AddressJudge, _ address: String) throws -> Bool {
        judge.problem(of: try #require(InternetAddress(address))) == nil
    }

    /// Computed by hand from RFC 6052: ipv4only.arpa, 10.0.0.1, 127.0.0.1 and 93.184.216.34 in one prefix.
    @Test(arguments: [
        (32, "2a00:1:c000:aa::", "2a00:1:a00:1::", "2a00:1:7f00:1::", "2a00:1:5db8:d822::"),
        (40, "2a00:1:2c0:0:aa::", "2a00:1:20a:0:1::", "2a00:1:27f:0:1::", "2a00:1:25d:b8d8:22::"),
        (48, "2a00:1:2:c000:0:aa00::", "2a00:1:2:a00:0:100::", "2a00:1:2:7f00:0:100::", "2a00:1:2:5db8:d8:2200::"),
        (56, "2a00:1:2:3c0:0:aa::", "2a00:1:2:30a:0:1::", "2a00:1:2:37f:0:1::", "2a00:1:2:35d:b8:d822::"),
        (
            64, "2a00:1:2:3:c0:0:aa00::", "2a00:1:2:3:a:0:100::", "2a00:1:2:3:7f:0:100::",
            "2a00:1:2:3:5d:b8d8:2200::"
        ),
        (
            96, "2a00:1:2:3::c000:aa", "2a00:1:2:3::a00:1", "2a00:1:2:3::7f00:1", "2a00:1:2:3::5db8:d822"
        ),
    ])
    func translatedAddressIsJudgedByTheIPv4AddressThatItCarries(
        length: Int, name: String, neighbour: String, loopback: String, site: String
    ) throws {
        let translating = judge(NameServer([name]))
        #expect(try !allows(translating, neighbour), "/\(length)")
        #expect(try !allows(translating, loopback), "/\(length)")
        #expect(try allows(translating, site), "/\(length)")
        // Without such a network, they are ordinary addresses.
        let plain = judge(NameServer([]))
        for address in [neighbour, loopback, site] { #expect(try allows(plain, address)) }
    }

    @Test func eachOfSeveralPrefixesIsKnown() throws {
        let judge = judge(NameServer(["2a00:1::192.0.0.170", "2a00:1::192.0.0.171", "2a00:2::192.0.0.171"]))
        #expect(try !allows(judge, "2a00:1::10.0.0.1"))
        #expect(try !allows(judge, "2a00:2::10.0.0.1"))
        #expect(try allows(judge, "2a00:3::10.0.0.1"))
    }

    @Test func reservedByteOfAnAddressHidesNothing() throws {
        let judge = judge(NameServer(["2a00:1:2:3:c0:0:aa00::"]))
        #expect(try !allows(judge, "2a00:1:2:3:ff0a:0:100::"))
    }

    @Test func falseNameServerAnswersOpenNoNetwork() throws {
        let judge = judge(NameServer(["fd00:1::192.0.0.170", "64:ff9b:1::192.0.0.170", "not an address", "1.1.1.1"]))
        #expect(try !allows(judge, "fd00:1::93.184.216.34"))
        #expect(try !allows(judge, "64:ff9b:1::93.184.216.34"))
        #expect(try allows(judge, "2606:2800:220:1::1"))
    }

    @Test func translatedAddressOfThisMachineIsRefused() throws {
        let judge = judge(NameServer(["2a00:1::192.0.0.170"]), own: ["93.184.216.34"])
        for address in ["93.184.216.34", "2a00:1::93.184.216.34", "64:ff9b::93.184.216.34"] {
            #expect(try !allows(judge, address))
        }
        #expect(try allows(judge, "64:ff9b::93.184.216.35"))
    }

    @Test func nameServersAreAskedOnceAndForIPv6Alone() throws {
        let nameServer = NameServer([])
        let judge = judge(nameServer)
        for address in ["93.184.216.34", "10.0.0.1", "fe80::1", "::1"] { _ = try allows(judge, address) }
        #expect(nameServer.questions == 0)
        for _ in 0..<3 { #expect(try allows(judge, "2606:2800:220:1::1")) }
        #expect(nameServer.questions == 1)
    }

    @Test func withoutAnAnswerNoIPv6AddressIsUsed() throws {
        let nameServer = NameServer(nil)
        let judge = judge(nameServer)
        let reason = "it cannot be reached: no name server knows which IPv6 addresses this network translates"
        for _ in 0..<2 {
            let problem = judge.problem(of: try #require(InternetAddress("2606:2800:220:1::1")))
            #expect(problem == .failed(.unreachable, reason: reason))
        }
        #expect(nameServer.questions == 1)
        #expect(try allows(judge, "93.184.216.34"))
    }

    // MARK: DNS

    /// A name server on 127.0.0.1 that answers each query with its id and these bytes; nil: no answer.
    private final class Answering: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        private let answer: [UInt8]?
        let questions = Mutex(0)

        init(_ answer: [UInt8]?) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let question = unwrapInboundIn(data)
            questions.withLock { $0 += 1 }
            guard let answer, let number = question.data.getBytes(at: question.data.readerIndex, length: 2) else {
                return
            }
            let bytes = ByteBuffer(bytes: number + answer)
            let reply = AddressedEnvelope(remoteAddress: question.remoteAddress, data: bytes)
            context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
        }
    }

    private func lookUp(answer: [UInt8]) async throws -> [String]? { try await lookUp(at: Answering(answer)) }

    private func lookUp(at server: Answering) async throws -> [String]? {
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(server) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(try #require(channel.localAddress?.port))
        let found = await withCheckedContinuation { done in
            Thread.detachNewThread {
                done.resume(returning: InternetAddress.ipv6(of: TranslationPrefix.name, port: port))
            }
        }
        try await channel.close()
        return found?.map(\.text)
    }

    /// The bytes after an answer's id: flags, counts, and the question.
    private func head(code: UInt8, records: UInt8) -> [UInt8] {
        [0x81, 0x80 | code, 0, 1, 0, records, 0, 0, 0, 0]
            + [8] + Array("ipv4only".utf8) + [4] + Array("arpa".utf8) + [0, 0, 28, 0, 1]
    }

    /// The record's name refers to the question.
    private func record(type: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
    }

    @Test func addressesAreReadFromADNSAnswer() async throws {
        let first: [UInt8] = [0x2A, 0, 0, 1] + Array(repeating: 0, count: 8) + [192, 0, 0, 170]
        let second: [UInt8] = [0x2A, 0, 0, 1] + Array(repeating: 0, count: 8) + [192, 0, 0, 171]
        let answer =
            head(code: 0, records: 3) + record(type: 28, first) + record(type: 1, [192, 0, 0, 170])
            + record(type: 28, second)
        #expect(try await lookUp(answer: answer) == ["2a00:1::c000:aa", "2a00:1::c000:ab"])
    }

    @Test func nameWithoutIPv6AddressesIsAnAnswer() async throws {
        #expect(try await lookUp(answer: head(code: 0, records: 0)) == [])
        #expect(try await lookUp(answer: head(code: 3, records: 0)) == [])
    }

    @Test func nameServerFailureIsNotAnAnswer() async throws {
        #expect(try await lookUp(answer: head(code: 2, records: 0)) == nil)
        #expect(try await lookUp(answer: head(code: 0, records: 1) + [0xC0]) == nil)
    }

    @Test func silentNameServerIsGivenUp() async throws {
        let server = Answering(nil)
        #expect(try await lookUp(at: server) == nil)
        // Two attempts, a second each.
        #expect(server.questions.withLock { $0 } == 2)
    }
}
