// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import Testing

@testable import HandoffWire

/// A state from another device cannot name a file of this device.
@Suite struct CarriedStateTests {
    private let key = "file:///home/anna/.ssh/id"

    private func state(_ value: Value, referrer: String? = nil, attributes: [UInt8] = []) throws -> ActivityState {
        ActivityState(
            type: SampleFrames.type, userInfo: try value.encoded(), referrerURL: referrer, contentAttributes: attributes
        )
    }

    /// The receiver's view of bytes that our senders never write.
    private func fetched(adding fields: [UInt8]) throws -> CarriedState {
        let frame = PeerFrame(
            .continuation(.fetched(try CarriedState(ActivityState(type: SampleFrames.type)), saving: .zero)), answer: 1)
        guard
            case .continuation(.fetched(let state, _, _, _, _)) =
                try PeerFrame(encoded: RawStates.body(of: frame, adding: fields)).message
        else { throw WireError(.unknownKind, "another message") }
        return state
    }

    private func sent(adding fields: [UInt8]) throws -> PeerFrame {
        let frame = PeerFrame(.sending(.sent(SampleFrames.sent)), request: 1)
        return try PeerFrame(encoded: RawStates.body(of: frame, adding: fields))
    }

    private static let files: [Value] = [
        .url("file:///home/anna/.ssh/id"), .url("FILE:/etc/passwd"), .url(" file:///etc/passwd"),
        .url("fi\tle:///etc/passwd"), .url("\u{1}file:///etc/passwd"), .url("file://elsewhere/a"),
        .array([.url("file:///a")]), .set([.url("file:///a")]), .dictionary([.url("file:///a"): .signed(1)]),
        .dictionary([.string("a"): .array([.set([.dictionary([.set([.url("file:///a")]): .null])])])]),
    ]

    @Test(arguments: files) func aFileURLOfAnotherDeviceIsNull(_ value: Value) throws {
        let carried = try fetched(adding: RawStates.userInfo(.dictionary([.string("document"): value])))
        let delivered = try carried.delivered()
        #expect(delivered.strayFiles(besides: []).isEmpty)
        #expect(try Value(encoded: delivered.userInfo) != .dictionary([.string("document"): value]))
    }

    @Test(arguments: files) func anActivityThatIsSentAndNamesAFileIsRefused(_ value: Value) throws {
        let fields = try RawStates.userInfo(.dictionary([.string("document"): value]))
        #expect(throws: WireError(.malformed, "")) { try sent(adding: fields) }
        let stored = StoredSend(
            device: SampleFrames.device, time: SampleFrames.noon, content: .activity(SampleFrames.sent))
        #expect(throws: WireError(.malformed, "")) {
            try StoredSend(encoded: RawStates.stored(stored, adding: fields))
        }
    }

    @Test func anActivityThatIsSentAndNamesADocumentIsRefused() throws {
        for value in [Value.document(0), .array([.document(15)]), .set([.document(1)])] {
            #expect(throws: WireError(.malformed, "")) { try sent(adding: RawStates.userInfo(value)) }
        }
    }

    @Test func malformedValueIsRefused() throws {
        let fields = RawStates.field(RawStates.userInfo, [0xFF, 0xFF])
        #expect(throws: WireError(.malformed, "")) { try fetched(adding: fields) }
        #expect(throws: WireError(.malformed, "")) { try sent(adding: fields) }
        #expect(throws: WireError(.malformed, "")) {
            try CarriedState(ActivityState(type: SampleFrames.type, userInfo: [0xFF]))
        }
    }

    @Test func aReferrerAndContentAttributesNameNoFile() throws {
        var attributes = ContentAttributes()
        attributes.entries = [
            "title": .string("Letter"), "thumbnailURL": .url(key), "list": .array([.document(1)]),
        ]
        let search = RawStates.field(
            RawStates.search, RawStates.field(RawStates.contentAttributes, attributes.encoded()))
        let referrer = RawStates.field(RawStates.referrerURL, Array(key.utf8))
        let delivered = try fetched(adding: search + referrer).delivered()
        #expect(delivered.referrerURL == nil)
        attributes.entries = ["title": .string("Letter")]
        #expect(delivered.contentAttributes == attributes.encoded())
        // Likewise when sending.
        let own = try state(.dictionary([:]), referrer: key, attributes: attributes.encoded())
        #expect(try CarriedState(own).delivered().referrerURL == nil)
        let unreadable = try state(.dictionary([:]), attributes: [0xFF])
        #expect(try CarriedState(unreadable).delivered().contentAttributes.isEmpty)
    }

    @Test func anAppSendsItsOwnFilesAsDocumentsWithoutPaths() throws {
        let own = try state(
            .dictionary([.string("document"): .url(key), .string("more"): .set([.url("file:///b"), .signed(1)])]))
        let carried = try CarriedState(own, naming: [ExactText(key): 3])
        #expect(carried.documents == [3: 1])
        let frame = PeerFrame(.continuation(.fetched(carried, saving: .zero)), answer: 1)
        #expect(try PeerFrame(encoded: frame.encoded()) == frame)
        #expect(!(try frame.encoded()).contains(subsequence: Array("file:".utf8)))
        let here = "file:///home/bob/id"
        #expect(
            try Value(encoded: carried.delivered(with: [3: here]).userInfo)
                == .dictionary([.string("document"): .url(here), .string("more"): .set([.null, .signed(1)])]))
        #expect(
            try Value(encoded: carried.delivered().userInfo)
                == .dictionary([.string("document"): .null, .string("more"): .set([.null, .signed(1)])]))
    }

    @Test func fileURLsThatDifferOnlyInSpellingAreTwoDocuments() throws {
        let own = try state(
            .dictionary([.string("a"): .url("file:///caf\u{E9}"), .string("b"): .url("file:///cafe\u{301}")]))
        let carried = try CarriedState(own, naming: ["file:///caf\u{E9}": 1, "file:///cafe\u{301}": 2])
        #expect(
            try Value(encoded: carried.delivered(with: [1: "file:///1", 2: "file:///2"]).userInfo)
                == .dictionary([.string("a"): .url("file:///1"), .string("b"): .url("file:///2")]))
    }

    @Test func anAppNamesNoDocuments() throws {
        let own = try state(.dictionary([.string("document"): .document(0), .string("a"): .url(key)]))
        #expect(throws: WireError(.malformed, "")) { try CarriedState(own, naming: [ExactText(key): 0]) }
    }

    @Test func aStateWithoutFilesIsCarriedByteForByte() throws {
        let own = try state(
            .dictionary([.string("a"): .url("https://example.com/file:"), .signed(1): .array([.double(.nan)])]))
        #expect(try CarriedState(own).delivered() == own)
        #expect(
            try fetched(adding: RawStates.field(RawStates.userInfo, own.userInfo)).delivered().userInfo == own.userInfo)
    }

    /// 32,000 references to a path of 3,600 bytes took 348 MB before their size was checked first.
    @Test func thePlacesOfDocumentsAreCountedBeforeAnythingIsMade() throws {
        let many = Value.array(Array(repeating: .document(0), count: 32_000))
        let carried = try fetched(adding: RawStates.userInfo(many))
        #expect(carried.documents == [0: 32_000])
        let url = "file:///" + String(repeating: "%FF", count: 3600)
        let clock = ContinuousClock()
        let took = clock.measure {
            #expect(throws: WireError(.tooLarge, "")) { try carried.delivered(with: [0: url]) }
        }
        #expect(took < .milliseconds(50))
        let few = try fetched(adding: RawStates.userInfo(.array(Array(repeating: .document(0), count: 10))))
        #expect(try few.delivered(with: [0: url]).userInfo.count <= Limits.userInfoBytes)
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence wanted: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: wanted) }
    }
}
