// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HandoffWire

/// Compares the longest legal value of every bounded message with its frame's limit, and both with docs/protocol.md.
@Suite struct FrameLimitTests {
    private static let hash = [UInt8](repeating: 255, count: 32)
    private static let id = [UInt8](repeating: 255, count: 16)
    /// Four bytes in UTF-8.
    private static let letter = "𐐷"

    private static func text(_ characters: Int) -> String { String(repeating: letter, count: characters) }
    private static let name = DisplayText(cleaning: text(Limits.nameCharacters), limit: Limits.nameCharacters)
    private static let failure = Failure(.deviceRemoved, text(2 * Limits.reasonCharacters))

    /// The maximum number and size of statements, with a secret for each.
    private static let roster: RosterUpdate = {
        let each = Limits.rosterBytes / Limits.rosterStatements
        let statement = SignedStatement(
            statement: [UInt8](repeating: 255, count: each - 163), signer: [UInt8](repeating: 255, count: 91),
            signature: [UInt8](repeating: 255, count: 72))
        let secret = BeaconSecret(statement: StatementID(uncheckedBytes: hash), secret: hash)
        return RosterUpdate(
            statements: Array(repeating: statement, count: Limits.rosterStatements),
            secrets: Array(repeating: secret, count: Limits.rosterStatements))
    }()

    private static let offer: Offer = {
        var offer = Offer(
            activity: ActivityID(uncheckedBytes: id), type: try! ActivityType(text(63)),
            title: DisplayText(cleaning: text(Limits.titleCharacters), limit: Limits.titleCharacters),
            bundle: try! BundleID(String(repeating: "b", count: Limits.bundleIDBytes)), appName: name,
            team: SampleFrames.team, supportsStreams: true, hasWebPage: true, since: SampleFrames.noon,
            expires: SampleFrames.noon)
        offer.saved = SampleFrames.noon
        offer.webHost = try! WebHost((0..<4).map { _ in String(repeating: "h", count: 62) }.joined(separator: "."))
        return offer
    }()

    private static func sender(of message: EnrollMessage) -> FrameLimits.Sender {
        switch message {
        case .join, .opening: .caller
        case .comparison, .admission, .refusal: .answerer
        }
    }

    @Test func everyMessageOfJoiningFitsTheFramesOfItsSender() throws {
        let messages: [EnrollMessage] = [
            .join(
                .init(
                    versions: .max - 1 ... .max, proof: Self.hash, name: Self.name, kind: .server,
                    commitment: Self.hash)),
            .comparison(.init(proof: Self.hash, nonce: Self.hash)), .opening(nonce: Self.hash),
            .admission(.init(proof: Self.hash, roster: Self.roster)), .refusal(Self.failure, triesLeft: .max),
        ]
        for message in messages {
            let limits = FrameLimits.of(.enroll, from: Self.sender(of: message))
            #expect(try message.encoded().count <= limits.first)
            #expect(limits.first == limits.later)
        }
        #expect(Self.roster.statements.reduce(0) { $0 + $1.byteCount } == Limits.rosterBytes)
    }

    @Test(arguments: FrameLimits.Sender.allCases)
    func everyMessageThatSetsUpAStreamFits(from sender: FrameLimits.Sender) throws {
        let messages: [StreamMessage] = [
            .hello(
                StreamHello(
                    versions: .max - 1 ... .max, token: SampleFrames.streamTicket.token,
                    activity: SampleFrames.activity, continuation: SampleFrames.continuation)),
            .ready(version: .max), .failure(Self.failure),
        ]
        for message in messages {
            #expect(try message.encoded().count <= FrameLimits.of(.stream, from: sender).first)
        }
    }

    @Test func firstFramesOfASessionAndOfTheLocalSocketFit() throws {
        for sender in FrameLimits.Sender.allCases {
            let hello = SampleFrames.peer.first { if case .hello = $0.frame.message { true } else { false } }
            let first = try #require(hello).frame
            #expect(try first.encoded().count <= FrameLimits.of(.session, from: sender).first)
        }
        let caller = String(repeating: "n", count: 255)
        var hello = LocalHello(
            role: .app, bundle: Self.offer.bundle, name: Self.name, launchToken: SampleFrames.token, receives: true)
        hello.caller = BusCaller(
            processID: .max,
            file: BusCaller.File(
                path: String(repeating: "p", count: Limits.pathBytes), device: .max, inode: .max),
            names: Array(repeating: caller, count: Limits.callerNames), sandbox: hello.bundle.map(Sandbox.flatpak))
        let path = "/" + String(repeating: "p", count: Limits.pathBytes - 1)
        let welcome = Welcome(
            version: .max, deviceName: Self.name, isRegistered: true, software: Self.name,
            places: DaemonPlaces(state: path, configuration: path, apps: path))
        let frames = [
            LocalFrame(.hello(hello), request: .max), LocalFrame(.welcome(welcome), answer: .max),
            LocalFrame(.failure(Self.failure), answer: .max),
            LocalFrame(.streams(.attachStream(SampleFrames.streamTicket.token)), request: .max),
        ]
        for frame in frames { #expect(try frame.encoded().count <= FrameLimits.local.first) }
    }

    @Test func rosterAndBoardsFitASession() throws {
        let limit = FrameLimits.of(.session, from: .caller).later
        let board = Array(repeating: Self.offer, count: Limits.offersPerBoard)
        let withdrawn = Array(repeating: Self.offer.activity, count: Limits.offersPerBoard)
        let frames = [
            PeerFrame(.roster(Self.roster)),
            PeerFrame(.advertising(.boardSnapshot(BoardSnapshot(revision: .max, offers: board))), answer: .max),
            PeerFrame(.advertising(.boardDelta(BoardDelta(revision: .max, upserted: board, withdrawn: withdrawn)))),
        ]
        for frame in frames { #expect(try frame.padded().encoded().count <= limit) }
    }

    @Test func aReasonIsCutBeforeItIsSent() throws {
        let frame = PeerFrame(.failure(Self.failure), answer: 1)
        #expect(try frame.encoded().count <= 4 * Limits.reasonCharacters + 64)
    }

    // MARK: The specification

    @Test func limitsAreThoseOfTheSpecification() throws {
        let documented = try Self.rows(from: "| limit of a frame |")
        let hello = FrameLimits.local.first
        let later = FrameLimits.local.later
        for sender in FrameLimits.Sender.allCases {
            #expect(FrameLimits.of(.session, from: sender) == .local)
            #expect(FrameLimits.of(.stream, from: sender).later == documented["setting up a stream between devices"])
        }
        let code = [
            "before the other side's hello was accepted, both protocols": hello, "after it, both protocols": later,
            "setting up a stream between devices": FrameLimits.of(.stream, from: .caller).first,
            "on the stream of a document": FrameLimits.document.later,
            "joining, from the new device": FrameLimits.of(.enroll, from: .caller).later,
            "joining, from the member": FrameLimits.of(.enroll, from: .answerer).later,
        ]
        #expect(documented == code)
    }

    @Test func limitsAreThoseOfTheSpecificationsList() throws {
        let documented = try Self.rows(from: "| what | at most |").filter {
            $0.key.hasPrefix("frame") || $0.key.hasPrefix("statements of a roster")
        }
        let code = [
            "frame before the other side's hello was accepted": FrameLimits.local.first,
            "frame after it": FrameLimits.local.later,
            "frame that sets up a stream between devices": FrameLimits.of(.stream, from: .caller).later,
            "frame on the stream of a document": FrameLimits.document.first,
            "frame of joining, from the new device": FrameLimits.of(.enroll, from: .caller).first,
            "frame of joining, from the member": FrameLimits.of(.enroll, from: .answerer).first,
            "statements of a roster": Limits.rosterStatements,
        ]
        #expect(documented == code)
    }

    /// The first number of each row in the table with this heading.
    private static func rows(from heading: String) throws -> [String: Int] {
        var repository = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { repository.deleteLastPathComponent() }
        let page = try String(contentsOf: repository.appendingPathComponent("docs/protocol.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix(heading) })
        var rows: [String: Int] = [:]
        for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let number = cells[1].prefix { $0.isNumber || $0 == "," }.filter { $0 != "," }
            rows[cells[0]] = Int(number)
        }
        return rows
    }
}
