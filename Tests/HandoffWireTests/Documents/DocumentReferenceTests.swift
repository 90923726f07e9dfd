// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct DocumentReferenceTests {
    private static func references(_ references: [DocumentReference]) throws -> [DocumentReference] {
        let frame = PeerFrame(
            .continuation(.fetched(SampleFrames.carried, saving: .zero, documents: references)), answer: 1)
        guard
            case .continuation(.fetched(_, _, _, let documents, _)) = try PeerFrame(encoded: frame.encoded()).message
        else { throw WireError(.malformed, "not what was written") }
        return documents
    }

    /// Reads a frame with this reference.
    private static func raw(_ reference: RawMessage) throws {
        let state = RawMessage().field(1, Array(SampleFrames.type.name.utf8))
        let fetched = RawMessage().field(1, state).field(4, reference)
        _ = try PeerFrame(encoded: RawMessage().field(2, 1).field(16, fetched).bytes)
    }

    private static let letter = SampleFrames.letter

    @Test func referencesRoundTrip() throws {
        for reference in SampleFrames.references {
            #expect(try Self.references([reference]) == [reference])
        }
        #expect(try Self.references(SampleFrames.references) == SampleFrames.references)
    }

    @Test func nameIsForPeople() {
        #expect(Self.letter.shownName == "An Anna.txt")
        #expect(SampleFrames.references.map(\.shownName) == ["An Anna.txt", "slides.key", "Grüße.txt", "2026"])
    }

    @Test func documentsAreLimited() throws {
        var most = (0..<UInt32(Limits.documents)).map { index in
            var reference = Self.letter
            reference.index = index
            return reference
        }
        #expect(try Self.references(most) == most)
        most[0].index = UInt32(Limits.documents)
        #expect(throws: WireError(.limitReached, "")) { try Self.references(most) }
        #expect(throws: WireError(.limitReached, "")) {
            try Self.references(Array(repeating: Self.letter, count: Limits.documents + 1))
        }
    }

    @Test func twoDocumentsOfOneIndexAreRefused() {
        #expect(throws: WireError(.malformed, "")) { try Self.references([Self.letter, Self.letter]) }
    }

    @Test func valueOfADocumentHasItsIndex() throws {
        let last = UInt32(Limits.documents - 1)
        #expect(try Value(encoded: Value.document(last).encoded()) == .document(last))
        for index in [UInt32(Limits.documents), .max] {
            #expect(throws: WireError(.limitReached, "")) { try Value(encoded: Value.document(index).encoded()) }
        }
    }

    @Test func knownHashesAreLimited() throws {
        var reference = Self.letter
        reference.known = Array(repeating: SampleFrames.digest, count: Limits.knownHashes)
        #expect(try Self.references([reference]) == [reference])
        reference.known.append(SampleFrames.digest)
        #expect(throws: WireError(.limitReached, "")) { try Self.references([reference]) }
    }

    @Test func documentBytesAreLimited() throws {
        var reference = Self.letter
        reference.size = Limits.documentBytes
        #expect(try Self.references([reference]) == [reference])
        for size in [Limits.documentBytes + 1, .max] {
            reference.size = size
            #expect(throws: WireError(.tooLarge, "")) { try Self.references([reference]) }
        }
    }

    @Test func modeHasPermissionBitsAlone() throws {
        for mode in [0, 0o777] as [UInt16] {
            var reference = Self.letter
            reference.mode = mode
            #expect(try Self.references([reference]) == [reference])
        }
        for mode in [0o1000, 0o4755, .max] as [UInt16] {
            var reference = Self.letter
            reference.mode = mode
            #expect(throws: WireError(.malformed, "")) { try Self.references([reference]) }
        }
    }

    @Test func hashOfAnotherLengthIsRefused() {
        for length in [1, 31, 33] {
            let hash = FileDigest(uncheckedBytes: Array(repeating: 1, count: length))
            var reference = Self.letter
            reference.hash = hash
            #expect(throws: WireError(.badIdentifier, "")) { try Self.references([reference]) }
            reference = Self.letter
            reference.known = [hash]
            #expect(throws: WireError(.badIdentifier, "")) { try Self.references([reference]) }
        }
    }

    @Test func documentOutsideAnyContainerHasNoFolder() throws {
        var reference = Self.letter
        reference.place = .outside(name: try DocumentPath("Letters/An Anna.txt"))
        #expect(throws: WireError(.malformed, "")) { try Self.references([reference]) }
    }

    @Test func invalidReferenceIsRejected() {
        let path = Array("a".utf8)
        #expect(throws: Never.self) { try Self.raw(RawMessage().field(3, path).field(4, 1)) }
        #expect(throws: WireError(.badIdentifier, "")) { try Self.raw(RawMessage().field(4, 1)) }
        for kind in [0, 4, 1 << 40] as [UInt64] {
            #expect(throws: WireError(.unknownKind, "")) { try Self.raw(RawMessage().field(3, path).field(4, kind)) }
        }
        for path in ["..", "/etc/passwd", "a/../../b", "a\u{0}b"] {
            #expect(throws: WireError(.badIdentifier, "")) {
                try Self.raw(RawMessage().field(2, [0x63]).field(3, Array(path.utf8)).field(4, 1))
            }
        }
        for container in ["..", "a/b", "a..b"] {
            #expect(throws: WireError(.badIdentifier, "")) {
                try Self.raw(RawMessage().field(2, Array(container.utf8)).field(3, path).field(4, 1))
            }
        }
    }

    @Test func theLargestStateWithDocumentsFitsAFrame() throws {
        var state = SampleFrames.state
        // The other four bytes are tag and length.
        state.userInfo = try Value.bytes(Array(repeating: 1, count: Limits.userInfoBytes - 4)).encoded()
        #expect(state.userInfo.count == Limits.userInfoBytes)
        state.title = String(repeating: "t", count: Limits.titleBytes)
        state.webpageURL = "https://example.com/" + String(repeating: "u", count: Limits.urlBytes - 20)
        var attributes = ContentAttributes()
        attributes.entries["title"] = .bytes(Array(repeating: 1, count: Limits.contentAttributesBytes - 64))
        state.contentAttributes = attributes.encoded()
        #expect(state.contentAttributes.count > Limits.contentAttributesBytes - 64)
        let path = String(repeating: "a/", count: Limits.pathBytes / 2 - 1) + "a"
        let documents = try (0..<UInt32(Limits.documents)).map { index in
            DocumentReference(
                index: index,
                place: .container(
                    try ContainerID(String(repeating: "c", count: Limits.containerBytes)), try DocumentPath(path)),
                size: Limits.documentBytes, modified: FileTime(nanoseconds: .min), mode: 0o777,
                hash: SampleFrames.digest,
                known: Array(repeating: SampleFrames.digest, count: Limits.knownHashes))
        }
        let frame = PeerFrame(
            .continuation(
                .fetched(
                    try CarriedState(state), saving: .zero, saved: SampleFrames.noon, documents: documents,
                    filesLeft: .max)),
            answer: .max)
        let bytes = try frame.encoded()
        #expect(bytes.count <= Limits.frameBytes / 2)
        #expect(try PeerFrame(encoded: bytes) == frame)
    }

    @Test func fileTimeSaturates() {
        #expect(FileTime(seconds: 1, nanoseconds: 5).nanoseconds == 1_000_000_005)
        #expect(FileTime(seconds: -1, nanoseconds: 5).nanoseconds == -999_999_995)
        #expect(FileTime(seconds: .max, nanoseconds: 0).nanoseconds == .max)
        #expect(FileTime(seconds: .min, nanoseconds: 0).nanoseconds == .min)
        // The last whole second.
        #expect(FileTime(seconds: 9_223_372_036, nanoseconds: 999_999_999).nanoseconds == .max)
        #expect(FileTime(nanoseconds: 1) < FileTime(nanoseconds: 2))
    }
}
