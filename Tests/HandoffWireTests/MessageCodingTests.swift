// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct MessageCodingTests {
    @Test func everyPeerFrameRoundTrips() throws {
        for (name, frame) in SampleFrames.peer {
            #expect(try PeerFrame(encoded: frame.encoded()) == frame, "\(name)")
        }
    }

    @Test func everyLocalFrameRoundTrips() throws {
        for (name, frame) in SampleFrames.local {
            #expect(try LocalFrame(encoded: frame.encoded()) == frame, "\(name)")
        }
    }

    @Test func everyKindOfLocalDocumentWordHasASample() {
        // A new case does not compile here until it has a number. Add a sample too.
        func number(_ word: LocalMessage.Documents) -> Int {
            switch word {
            case .listFolders: 0
            case .mapFolder: 1
            case .unmapFolder: 2
            case .folderList: 3
            case .showContainers: 4
            case .containers: 5
            case .listVersions: 6
            case .restoreVersion: 7
            case .versionList: 8
            case .documentComing: 9
            case .documentPlaced: 10
            case .downloadDocument: 11
            case .documentProgress: 12
            case .cancelContinuation: 13
            }
        }
        let words = SampleFrames.local.compactMap { sample -> LocalMessage.Documents? in
            if case .documents(let word) = sample.frame.message { word } else { nil }
        }
        #expect(Set(words.map(number)) == Set(0...13))
    }

    @Test func moreFilesOrDocumentsThanAStateMayNameAreRefused() throws {
        let file = SavedFile(url: "file:///a", path: SampleFrames.file)
        let document = DeliveredDocument(url: "file:///a", fate: .same, path: SampleFrames.file)
        func messages(_ count: Int) -> [LocalMessage] {
            let documents = Array(repeating: document, count: count)
            return [
                .advertising(
                    .saved(SampleFrames.state, saving: .zero, files: Array(repeating: file, count: count))),
                .continuation(
                    .continueActivity(SampleFrames.continuation, SampleFrames.state, documents: documents)),
                .continuation(
                    .outcome(
                        ContinuationOutcome(
                            continuation: SampleFrames.continuation, phases: [], how: .pageShown,
                            targetName: SampleFrames.laptop, documents: documents))),
            ]
        }
        for message in messages(Limits.documents) {
            #expect(try LocalFrame(encoded: LocalFrame(message).encoded()).message == message)
        }
        for message in messages(Limits.documents + 1) {
            #expect(throws: WireError(.limitReached, "")) {
                try LocalFrame(encoded: LocalFrame(message).encoded())
            }
        }
    }

    @Test func everyStreamFrameRoundTrips() throws {
        for (name, message) in SampleFrames.stream {
            #expect(try StreamMessage(encoded: message.encoded()) == message, "\(name)")
        }
        #expect(throws: WireError(.missingField, "")) { try StreamMessage(encoded: []) }
    }

    @Test func truncatedMessagesAreRefusedOrReadAsLessButNeverCrash() throws {
        for bytes in try SampleFrames.peer.map({ try $0.frame.encoded() }) {
            for length in bytes.indices { _ = try? PeerFrame(encoded: bytes[..<length]) }
        }
        for bytes in try SampleFrames.local.map({ try $0.frame.encoded() }) {
            for length in bytes.indices { _ = try? LocalFrame(encoded: bytes[..<length]) }
        }
        let fetch = try SampleFrames.peer[5].frame.encoded()
        #expect(throws: WireError(.malformed, "")) { try PeerFrame(encoded: fetch.dropLast(3)) }
    }

    @Test func unknownFieldIsIgnored() throws {
        let frame = SampleFrames.peer[5].frame
        #expect(try PeerFrame(encoded: frame.encoded() + [0xA0, 0x1F, 0x05]) == frame)
        let local = SampleFrames.local[4].frame
        #expect(try LocalFrame(encoded: local.encoded() + [0xA0, 0x1F, 0x05]) == local)
    }

    @Test func unknownMessageKeepsItsRequestNumber() throws {
        // request = 7, and field 900 with an empty message of a newer version.
        #expect(try PeerFrame(encoded: [0x08, 0x07, 0xA2, 0x38, 0x00]) == PeerFrame(.unknown, request: 7))
        #expect(try LocalFrame(encoded: [0x08, 0x07, 0xA2, 0x38, 0x00]) == LocalFrame(.unknown, request: 7))
    }

    @Test func deviceIdsAndActivityIdsOfAnotherLengthAreRefused() {
        // withdraw { activity: 3 bytes }
        #expect(throws: WireError(.badIdentifier, "")) {
            try LocalFrame(encoded: [0xAA, 0x01, 0x05, 0x0A, 0x03, 1, 2, 3])
        }
    }

    @Test func boardOfMoreOffersThanItsLimitIsRefused() throws {
        let offers = Array(repeating: SampleFrames.offer, count: Limits.offersPerBoard + 1)
        let bytes = try PeerFrame(.advertising(.boardSnapshot(BoardSnapshot(revision: 1, offers: offers)))).encoded()
        #expect(throws: WireError(.limitReached, "")) { try PeerFrame(encoded: bytes) }
    }

    @Test func rosterOfMoreStatementsThanItsLimitIsRefused() throws {
        let statements = Array(repeating: SampleFrames.statement, count: Limits.rosterStatements + 1)
        let bytes = try PeerFrame(.roster(RosterUpdate(statements: statements))).encoded()
        #expect(throws: WireError(.limitReached, "")) { try PeerFrame(encoded: bytes) }
        let large = SignedStatement(
            statement: Array(repeating: 0, count: Limits.statementBytes + 1), signer: [], signature: [])
        #expect(throws: WireError(.limitReached, "")) {
            try PeerFrame(encoded: PeerFrame(.roster(RosterUpdate(statements: [large]))).encoded())
        }
    }

    /// Shows A15, X12: a page is http or https, regardless of the sender.
    @Test func stateWithAWebPageOfAnotherSchemeIsRefused() throws {
        var state = SampleFrames.state
        state.webpageURL = "javascript:alert(1)"
        let frame = PeerFrame(.continuation(.fetched(try CarriedState(state), saving: .zero)), answer: 1)
        let bytes = try frame.encoded()
        #expect(throws: WireError(.malformed, "")) { try PeerFrame(encoded: bytes) }
    }

    /// Shows E04.
    @Test func stateOverTheUserInfoLimitIsRefused() throws {
        let frame = PeerFrame(.continuation(.fetched(SampleFrames.carried, saving: .zero)), answer: 1)
        let userInfo = Array(repeating: UInt8(0), count: Limits.userInfoBytes + 1)
        let bytes = try RawStates.body(of: frame, adding: RawStates.field(RawStates.userInfo, userInfo))
        #expect(throws: WireError(.tooLarge, "")) { try PeerFrame(encoded: bytes) }
    }

    @Test func stateLimitsHold() throws {
        var states: [ActivityState] = []
        var state = SampleFrames.state
        state.title = String(repeating: "t", count: Limits.titleBytes + 1)
        states.append(state)
        state = SampleFrames.state
        state.keywords = Array(repeating: "k", count: Limits.keywords + 1)
        states.append(state)
        state = SampleFrames.state
        state.webpageURL = "https://example.com/" + String(repeating: "u", count: Limits.urlBytes)
        states.append(state)
        for state in states {
            let frame = PeerFrame(.continuation(.fetched(try CarriedState(state), saving: .zero)), answer: 1)
            let bytes = try frame.encoded()
            #expect(throws: WireError(.limitReached, "")) { try PeerFrame(encoded: bytes) }
        }
        let attributes = Array(repeating: UInt8(0), count: Limits.contentAttributesBytes + 1)
        let search = RawStates.field(RawStates.search, RawStates.field(RawStates.contentAttributes, attributes))
        let frame = PeerFrame(.continuation(.fetched(SampleFrames.carried, saving: .zero)), answer: 1)
        let bytes = try RawStates.body(of: frame, adding: search)
        #expect(throws: WireError(.limitReached, "")) { try PeerFrame(encoded: bytes) }
    }

    // MARK: Deleting saved activities

    @Test func moreIdentifiersThanARequestMayHaveAreRefused() throws {
        let names = (0...Limits.deletedIdentifiers).map { ExactText("note \($0)") }
        let bytes = try LocalFrame(.advertising(.deleteSaved(.named(Set(names))))).encoded()
        #expect(throws: WireError(.limitReached, "")) { try LocalFrame(encoded: bytes) }
    }

    @Test func partsOfADeletionEachFitARequestAndLeaveNothingOut() throws {
        let many = Set((0..<2500).map { ExactText("note \($0)") })
        // Few, but larger than a frame together.
        let long = Set((0..<40).map { ExactText(String(repeating: "n", count: 40_000) + "\($0)") })
        for names in [many, long, ["one"], []] {
            let parts = SavedActivities.named(names).parts
            var all: Set<ExactText> = []
            for part in parts {
                guard case .named(let some) = part else {
                    Issue.record("\(part) is everything")
                    return
                }
                let bytes = try LocalFrame(.advertising(.deleteSaved(part)), request: .max).encoded()
                #expect(bytes.count <= Limits.frameBytes)
                #expect(try LocalFrame(encoded: bytes).message == .advertising(.deleteSaved(part)))
                #expect(all.isDisjoint(with: some))
                all.formUnion(some)
            }
            #expect(all == names)
        }
        #expect(SavedActivities.named(many).parts.count == 3)
        #expect(SavedActivities.all.parts == [.all])
    }

    @Test func wishesToDeleteAddUp() {
        #expect(SavedActivities.named(["a"]).union(.named(["b"])) == .named(["a", "b"]))
        #expect(SavedActivities.named(["a"]).union(.all) == .all)
        #expect(SavedActivities.all.union(.named(["a"])) == .all)
        #expect(SavedActivities.all.contains(nil))
        #expect(!SavedActivities.named(["a"]).contains(nil))
        #expect(SavedActivities.named(["a"]).contains("a"))
    }

    /// Shows A35.
    @Test(arguments: [("K", "\u{212A}"), ("\u{E9}", "e\u{301}")])
    func identifiersThatDifferOnlyInSpellingAreDeletedOneByOne(one: String, other: String) throws {
        let saved = SavedActivities.named([ExactText(one)])
        #expect(saved.contains(one) && !saved.contains(other))
        let both = SavedActivities.named([ExactText(one), ExactText(other)])
        let frame = LocalFrame(.advertising(.deleteSaved(both)), request: 1)
        #expect(try LocalFrame(encoded: frame.encoded()).message == .advertising(.deleteSaved(both)))
        #expect(both != saved)
    }

    /// For any names that programs give their activities.
    @Test func theLargestBoardFitsAFrame() throws {
        func longest(_ characters: Int) -> DisplayText {
            // Four bytes each.
            DisplayText(cleaning: String(repeating: "🐒", count: characters), limit: characters)
        }
        let offer = Offer(
            activity: SampleFrames.activity,
            type: try ActivityType(String(repeating: "t", count: Limits.activityTypeBytes)),
            title: longest(Limits.titleCharacters),
            bundle: try BundleID("com." + String(repeating: "b", count: Limits.bundleIDBytes - 4)),
            appName: longest(Limits.nameCharacters), team: .personal(SampleFrames.account), supportsStreams: true,
            hasWebPage: true, since: SampleFrames.noon, expires: SampleFrames.noon)
        #expect(offer.title?.text.utf8.count == Limits.titleCharacters * Limits.shownBytesPerCharacter)
        let offers = Array(repeating: offer, count: Limits.offersPerBoard)
        let snapshot = PeerFrame(
            .advertising(.boardSnapshot(BoardSnapshot(revision: .max, offers: offers))), answer: .max)
        #expect(try snapshot.encoded().count <= Limits.frameBytes / 2)
        let withdrawn = Array(repeating: offer.activity, count: Limits.offersPerBoard)
        let delta = PeerFrame(
            .advertising(.boardDelta(BoardDelta(revision: .max, upserted: offers, withdrawn: withdrawn))))
        #expect(try delta.encoded().count <= Limits.frameBytes / 2)
    }

    @Test func titlesOnABoardAreCleaned() throws {
        var bytes = try PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 1, upserted: [SampleFrames.offer]))))
            .encoded()
        let index = bytes.indices.first { Array(bytes[$0...].prefix(7)) == Array("Weather".utf8) }!
        bytes[index + 1] = 0x1B
        guard case .advertising(.boardDelta(let delta)) = try PeerFrame(encoded: bytes).message else {
            Issue.record("not a delta")
            return
        }
        #expect(delta.upserted.first?.title?.text == "Wather")
    }
}
