// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct ChunkListTests {
    private static let hash = FileDigest(uncheckedBytes: Array(0..<32))

    @Test func chunkListRoundTrips() throws {
        let list = ChunkList((1...300).map { ChunkList.Chunk(length: UInt32($0 * 100), hash: Self.hash) })
        #expect(try ChunkList(encoded: list.encoded()) == list)
        // 100 + 200 + … + 30,000
        #expect(list.size == 4_515_000)
    }

    @Test func emptyListIsOfAnEmptyFile() throws {
        #expect(try ChunkList([]).encoded() == [])
        #expect(try ChunkList(encoded: [UInt8]()).size == 0)
    }

    @Test func chunkBytesAreLimited() throws {
        let longest = ChunkList([ChunkList.Chunk(length: UInt32(Limits.chunkBytes), hash: Self.hash)])
        #expect(try ChunkList(encoded: longest.encoded()) == longest)
        for length in [0, UInt32(Limits.chunkBytes) + 1, .max] {
            let list = ChunkList([ChunkList.Chunk(length: length, hash: Self.hash)])
            #expect(throws: WireError(.limitReached, "")) { try ChunkList(encoded: list.encoded()) }
        }
    }

    @Test func listWithOtherLengthsThanHashesIsRefused() {
        let one = Self.hash.bytes
        for (lengths, hashes) in [([], one), ([1], []), ([1, 1], one), ([1], one + one), ([1], one + [0])]
            as [([UInt8], [UInt8])]
        {
            let bytes = RawMessage().field(1, lengths).field(2, hashes).bytes
            #expect(throws: WireError(.malformed, "")) { try ChunkList(encoded: bytes) }
        }
    }

    /// Decoding would allocate four bytes for each.
    @Test func lengthsWithoutHashesAreNotAllocated() {
        let lengths = RawMessage().field(1, [UInt8](repeating: 1, count: 1 << 20)).bytes
        #expect(throws: WireError(.malformed, "")) { try ChunkList(encoded: lengths) }
        #expect(throws: WireError(.malformed, "")) { try ChunkList(encoded: [8, 1, 8, 1]) }
        let pieces = (0..<1000).reduce(RawMessage()) { list, _ in list.field(1, [1]) }
        #expect(throws: WireError(.malformed, "")) { try ChunkList(encoded: pieces.bytes) }
    }

    @Test func newerFieldIsIgnored() throws {
        let bytes = RawMessage().field(1, [5]).field(2, Self.hash.bytes).field(3, [1, 2]).bytes
        #expect(try ChunkList(encoded: bytes) == ChunkList([ChunkList.Chunk(length: 5, hash: Self.hash)]))
    }

    @Test func documentListBytesAreLimited() throws {
        // Each chunk takes three bytes for its length, and 32 for its hash.
        let most = (Limits.documentListBytes - 20) / 35
        let chunk = ChunkList.Chunk(length: 64 * 1024, hash: Self.hash)
        let longest = ChunkList(Array(repeating: chunk, count: most))
        let bytes = try longest.encoded()
        #expect(bytes.count <= Limits.documentListBytes)
        #expect(throws: WireError(.tooLarge, "")) {
            try ChunkList(longest.chunks + [chunk, chunk]).encoded()
        }
        #expect(throws: WireError(.tooLarge, "")) {
            try ChunkList(encoded: [UInt8](repeating: 0, count: Limits.documentListBytes + 1))
        }
        #expect(throws: WireError(.tooLarge, "")) {
            try PackageManifest(encoded: [UInt8](repeating: 0, count: Limits.documentListBytes + 1))
        }
    }
}
