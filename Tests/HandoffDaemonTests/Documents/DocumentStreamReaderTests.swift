// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DocumentStreamReaderTests {
    private let hash = FileDigest(uncheckedBytes: Array(repeating: 7, count: 32))

    /// Every kind of piece of a stream, one after the other.
    private func course() throws -> (bytes: [UInt8], pieces: [DocumentStreamReader.Piece]) {
        let list = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let raw = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 3) }
        let head = DocumentMessage.head(
            DocumentHead(
                size: 9, modified: FileTime(nanoseconds: -1), mode: 0o600, hash: nil, listBytes: list.count))
        let messages: [DocumentMessage] = [.ask(.chunks), .data(raw.count), .tail(hash)]
        let bytes =
            try messages[0].framed() + head.framed() + list + messages[1].framed() + raw + messages[2].framed()
        return (
            bytes,
            [
                .message(messages[0]), .message(head), .list(list), .message(messages[1]), .bytes(raw[...]),
                .message(messages[2]),
            ]
        )
    }

    /// Joins raw bytes, which are passed on in the pieces in which they arrived.
    private func joined(_ pieces: [DocumentStreamReader.Piece]) -> [DocumentStreamReader.Piece] {
        var joined: [DocumentStreamReader.Piece] = []
        for piece in pieces {
            if case .bytes(let more) = piece, case .bytes(let before)? = joined.last {
                joined[joined.count - 1] = .bytes((Array(before) + more)[...])
            } else {
                joined.append(piece)
            }
        }
        return joined
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 255, 256, 1023, 100_000])
    func partsAreTheSameInPiecesOfAnySize(_ size: Int) throws {
        let (bytes, pieces) = try course()
        var reader = DocumentStreamReader()
        var read: [DocumentStreamReader.Piece] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
            while let piece = try reader.next() { read.append(piece) }
        }
        #expect(joined(read) == pieces && reader.isBetween)
    }

    @Test func truncatedStreamIsDetected() throws {
        let (bytes, _) = try course()
        var reader = DocumentStreamReader()
        reader.append(Array(bytes.dropLast()))
        while try reader.next() != nil {}
        #expect(!reader.isBetween)
    }

    @Test func aFrameOverTheLimitIsRefusedBeforeItIsHeld() throws {
        var reader = DocumentStreamReader()
        reader.append(FrameHeader.bytes(length: Limits.documentFrameBytes + 1))
        #expect(throws: WireError.self) { try reader.next() }
    }

    @Test func aListOverTheLimitIsRefused() throws {
        var reader = DocumentStreamReader()
        let head = DocumentHead(
            size: 0, modified: FileTime(nanoseconds: 0), mode: 0, hash: nil, listBytes: Limits.documentListBytes + 1)
        reader.append(try DocumentMessage.head(head).framed())
        #expect(throws: WireError.self) { try reader.next() }
    }

    @Test(arguments: [0, Limits.documentDataBytes + 1])
    func emptyOrTooLongDataIsRefused(_ count: Int) throws {
        var reader = DocumentStreamReader()
        reader.append(try DocumentMessage.data(count).framed())
        #expect(throws: WireError.self) { try reader.next() }
    }
}
