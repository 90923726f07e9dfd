// SPDX-License-Identifier: Apache-2.0

/// Cuts a file where its content says, so that what is inserted or removed moves the cuts beside it and no others. Bytes come
/// in pieces of any size; the cuts are the same.
///
/// A chunk ends after the byte with which a rolling hash, h = 2h + gear[byte] (a gear hash), falls below a threshold, but not
/// before it has `least` bytes and at the latest when it has `most`. The hash begins anew in each chunk and depends on the
/// last 64 bytes alone, so all but the last 64 of the first `least` need not be looked at.
package struct Chunker {
    /// Of a chunk, bytes.
    package struct Lengths: Hashable, Sendable {
        package var least: Int
        /// Of chunks in bytes by chance.
        package var mean: Int
        package var most: Int

        package static let short = Lengths(least: 4 << 10, mean: 16 << 10, most: 64 << 10)
        package static let long = Lengths(least: 16 << 10, mean: 64 << 10, most: 256 << 10)

        /// What both sides cut a file of so many bytes into.
        package static func ofFile(
            _ size: UInt64, limits: DocumentLimits = DocumentLimits()
        ) -> Lengths {
            size > limits.longChunksFrom ? .long : .short
        }
    }

    /// Bytes that the hash depends on.
    private static let window = 64

    /// 256 words without a pattern: SplitMix64 (Steele, Lea and Flood, 2014) from zero. All devices cut by these, so they are
    /// never changed.
    package static let gear: [UInt64] = {
        var words = Randomness.seeded(0)
        return (0..<256).map { _ in words.next() }
    }()

    private let lengths: Lengths
    private let threshold: UInt64
    private let gear = Self.gear
    private var hash: UInt64 = 0
    /// Bytes that came since the last cut: at the end of the file those of the last chunk.
    package private(set) var begun = 0

    package init(_ lengths: Lengths) {
        self.lengths = lengths
        threshold = .max / UInt64(lengths.mean - lengths.least)
    }

    /// How many of these bytes belong to the chunk that was begun, where it ends among them; the rest is to be handed in again.
    /// Nil: all of them do, and it goes on.
    package mutating func cut(in bytes: UnsafeRawBufferPointer) -> Int? {
        let end = min(bytes.count, lengths.most - begun)
        // Nothing before the window of the first byte that may be the last.
        var index = min(max(lengths.least - Self.window - begun, 0), end)
        let firstCut = min(max(lengths.least - begun - 1, 0), end)
        var hash = self.hash
        let cut = gear.withUnsafeBufferPointer { gear -> Int? in
            while index < firstCut {
                hash = hash &<< 1 &+ gear[Int(bytes[index])]
                index += 1
            }
            while index < end {
                hash = hash &<< 1 &+ gear[Int(bytes[index])]
                index += 1
                if hash < threshold { return index }
            }
            return nil
        }
        if let cut = cut ?? (begun + end == lengths.most ? end : nil) {
            self.hash = 0
            begun = 0
            return cut
        }
        self.hash = hash
        begun += end
        return nil
    }
}
