// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// Content-defined chunks, so that a receiver requests only those that it lacks.
package struct ChunkList: Hashable, Sendable {
    package struct Chunk: Hashable, Sendable {
        /// Bytes, 1 to `Limits.chunkBytes`.
        package var length: UInt32
        package var hash: FileDigest

        package init(length: UInt32, hash: FileDigest) {
            self.length = length
            self.hash = hash
        }
    }

    package var chunks: [Chunk]

    package init(_ chunks: [Chunk]) { self.chunks = chunks }

    /// Bytes. Memory cannot hold enough lengths for an overflow.
    package var size: UInt64 { chunks.reduce(0) { $0 + UInt64($1.length) } }
}

extension ChunkList {
    /// Throws `.tooLarge` above `Limits.documentListBytes`.
    package func encoded() throws(WireError) -> [UInt8] {
        let message = PBChunkList.with {
            $0.lengths = chunks.map(\.length)
            $0.hashes = chunks.flatMap(\.hash.bytes).data
        }
        return try ListBytes(message.bytes()).bytes
    }

    /// Throws for a chunk that is empty or too long.
    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let bytes = try ListBytes(bytes)
        // Before decoding, which allocates four bytes for each byte of a length.
        guard let fields = try bytes.fields(atMost: 8) else { throw WireError(.malformed, "not a chunk list") }
        func size(of number: Int) -> Int { fields.reduce(0) { $0 + ($1.number == number ? $1.length : 0) } }
        guard size(of: 1) <= size(of: 2) / FileDigest.byteCount * 5 else { throw Self.unequal }
        let message = try PBChunkList.decode(bytes.bytes)
        guard message.hashes.count == message.lengths.count * FileDigest.byteCount else { throw Self.unequal }
        let hashes = [UInt8](message.hashes)
        var chunks: [Chunk] = []
        chunks.reserveCapacity(message.lengths.count)
        for (number, length) in message.lengths.enumerated() {
            guard 1...Limits.chunkBytes ~= Int(length) else {
                throw WireError(.limitReached, "a chunk has 1 to \(Limits.chunkBytes) bytes")
            }
            let start = number * FileDigest.byteCount
            let hash = FileDigest(uncheckedBytes: Array(hashes[start..<start + FileDigest.byteCount]))
            chunks.append(Chunk(length: length, hash: hash))
        }
        self.init(chunks)
    }

    private static let unequal = WireError(.malformed, "a chunk list with other lengths than hashes")
}
