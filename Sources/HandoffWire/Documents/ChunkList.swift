// SPDX-License-Identifier: Apache-2.0

/// A file, cut where its content says: whoever has most of it asks for the rest alone.
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

    /// Of the whole file, bytes. No sum of 32-bit lengths that there is memory for is too large.
    package var size: UInt64 { chunks.reduce(0) { $0 + UInt64($1.length) } }
}
