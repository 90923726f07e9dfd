// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct DocumentMessageTests {
    @Test func everyDocumentFrameRoundTrips() throws {
        for (name, message) in SampleFrames.document {
            let bytes = try message.encoded()
            #expect(try DocumentMessage(encoded: bytes) == message, "\(name)")
            for length in bytes.indices { _ = try? DocumentMessage(encoded: bytes[..<length]) }
        }
    }

    /// The example in docs/protocol.md.
    @Test func exampleOfTheProtocolIsWhatIsWritten() throws {
        let hash = try FileDigest(hex: "4442abc38fa8a2035629b7dc3f409db78cf5d4c67267bbc6cc06356711c8cada")
        let written = FileTime(nanoseconds: 1_800_000_000_000_000_000)
        let frames: [(DocumentMessage, String)] = [
            (.ask(.whole), "00000004 0a020801"),
            (
                .head(DocumentHead(size: 11, modified: written, mode: 0o644, hash: hash)),
                "00000033 1231 080b 108080a0bbd29df1fa31 18a403 2220 \(hash.hex)"
            ),
            (.data(11), "00000004 2202080b"),
            (.tail(hash), "00000024 2a22 0a20 \(hash.hex)"),
        ]
        for (message, text) in frames {
            let bytes = try FrameHeader.framed(message.encoded(), limit: Limits.documentFrameBytes)
            #expect(bytes.hexadecimal == text.replacing(" ", with: ""))
        }
    }

    @Test func frameThatSaysNothingIsRefused() {
        #expect(throws: WireError(.missingField, "")) { try DocumentMessage(encoded: [UInt8]()) }
        #expect(throws: WireError(.missingField, "")) {
            try DocumentMessage(encoded: RawMessage().field(90, [1]).bytes)
        }
    }

    @Test func formOfANewerKindIsRefused() {
        for form in [0, 4, 1 << 33] as [UInt64] {
            #expect(throws: WireError(.unknownKind, "")) {
                try DocumentMessage(encoded: RawMessage().field(1, RawMessage().field(1, form)).bytes)
            }
        }
    }

    @Test func headOfWhatNoFileCanBeIsRefused() throws {
        func head(_ head: DocumentHead) throws -> DocumentMessage {
            try DocumentMessage(encoded: DocumentMessage.head(head).encoded())
        }
        let plain = DocumentHead(size: 5, modified: FileTime(nanoseconds: 1), mode: 0o644, hash: nil)
        var largest = plain
        largest.size = Limits.documentBytes
        largest.listBytes = Limits.documentListBytes
        #expect(try head(largest) == .head(largest))
        var wrong = plain
        wrong.size += Limits.documentBytes
        #expect(throws: WireError(.tooLarge, "")) { try head(wrong) }
        wrong = plain
        wrong.listBytes = Limits.documentListBytes + 1
        #expect(throws: WireError(.tooLarge, "")) { try head(wrong) }
        // Our senders write no mode above 0777, so the test overwrites its two bytes.
        var bytes = try DocumentMessage.head(plain).encoded()
        let mode = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x18, 0xA4, 0x03]) })
        bytes.replaceSubrange(mode..<mode + 3, with: [0x18, 0xFF, 0x07])
        #expect(throws: WireError(.malformed, "")) { try DocumentMessage(encoded: bytes) }
        wrong = plain
        wrong.hash = FileDigest(uncheckedBytes: [1])
        #expect(throws: WireError(.badIdentifier, "")) { try head(wrong) }
        #expect(throws: WireError(.badIdentifier, "")) {
            try DocumentMessage(encoded: DocumentMessage.tail(FileDigest(uncheckedBytes: [])).encoded())
        }
    }

    @Test func documentDataBytesAreLimited() throws {
        let most = DocumentMessage.data(Limits.documentDataBytes)
        #expect(try DocumentMessage(encoded: most.encoded()) == most)
        for count in [0, Limits.documentDataBytes + 1, Int(UInt32.max)] {
            #expect(throws: WireError(.tooLarge, "")) {
                try DocumentMessage(encoded: DocumentMessage.data(count).encoded())
            }
        }
    }

    @Test func documentFrameHoldsTheLongestRequest() throws {
        // The smallest item: a hash, and a length of one byte.
        let items = Limits.documentListBytes / (FileDigest.byteCount + 1)
        #expect(items > Limits.packageMembers)
        var wish = DocumentWish(itemCount: items)
        for item in 0..<items { wish[item] = true }
        #expect(try DocumentMessage.wish(wish).encoded().count <= Limits.documentFrameBytes)
        var assembler = FrameAssembler(limit: Limits.documentFrameBytes)
        assembler.append(FrameHeader.bytes(length: Limits.documentFrameBytes + 1))
        #expect(throws: WireError(.frameTooLarge, "")) { try assembler.next() }
    }

    @Test func requestedItemsAreBitsFromTheLowest() {
        var wish = DocumentWish(itemCount: 9)
        #expect(wish.bits == [0, 0])
        wish[0] = true
        wish[3] = true
        wish[8] = true
        #expect(wish.bits == [0b1001, 1])
        wish[3] = false
        #expect((0..<9).filter { wish[$0] } == [0, 8])
        #expect(DocumentWish(itemCount: 8).bits.count == 1)
        #expect(DocumentWish(itemCount: 0).bits.isEmpty)
    }

    /// The peer may send fewer bits, or more.
    @Test func itemBeyondARequestIsNotRequested() {
        let wish = DocumentWish(bits: [0xFF])
        #expect(wish[7] && !wish[8] && !wish[1 << 40])
    }
}
