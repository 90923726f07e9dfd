// SPDX-License-Identifier: Apache-2.0

/// A file in chunks with content-defined borders: a receiver requests only the chunks that it lacks.
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

    /// Bytes. Memory cannot hold enough 32-bit lengths for the sum to overflow.
    package var size: UInt64 { chunks.reduce(0) { $0 + UInt64($1.length) } }
}
