// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Cuts a file at places that its content determines. An insertion or removal therefore moves the nearby cuts and no
/// others. Bytes may be passed in pieces of any size; the cuts are the same.
///
/// A chunk ends after the byte at which a rolling hash, h = 2h + gear[byte] (a gear hash), falls below a threshold. A
/// chunk has at least `least` and at most `most` bytes. The hash restarts in each chunk and depends only on the last 64
/// bytes, so all but the last 64 of the first `least` bytes are skipped.
struct Chunker {
    /// In bytes.
    struct Lengths: Hashable, Sendable {
        var least: Int
        /// The mean chunk length for random content.
        var mean: Int
        var most: Int

        static let short = Lengths(least: 4 << 10, mean: 16 << 10, most: 64 << 10)
        static let long = Lengths(least: 16 << 10, mean: 64 << 10, most: 256 << 10)

        /// Both devices derive the lengths from the file's size.
        static func forFile(
            _ size: UInt64, limits: DocumentLimits = DocumentLimits()
        ) -> Lengths {
            size > limits.longChunksFrom ? .long : .short
        }
    }

    private static let window = 64

    /// 256 words without a pattern: SplitMix64 (Steele, Lea and Flood, 2014) from zero. They must never change: all
    /// devices cut with them.
    static let gear: [UInt64] = {
        var words = Randomness.seeded(0)
        return (0..<256).map { _ in words.next() }
    }()

    private let lengths: Lengths
    private let threshold: UInt64
    private let gear = Self.gear
    private var hash: UInt64 = 0
    /// Bytes since the last cut. At the end of the file, this is the length of the last chunk.
    private(set) var begun = 0

    init(_ lengths: Lengths) {
        self.lengths = lengths
        threshold = .max / UInt64(lengths.mean - lengths.least)
    }

    /// Returns how many of these bytes belong to the current chunk, if it ends among them. The caller passes the rest
    /// again. Nil: all bytes belong to it, and it continues.
    mutating func cut(in bytes: UnsafeRawBufferPointer) -> Int? {
        let end = min(bytes.count, lengths.most - begun)
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
