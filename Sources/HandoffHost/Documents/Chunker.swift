// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Cuts a file at places that its content determines, so an insertion or removal moves only the nearby cuts.
///
/// A chunk ends where a gear hash, h = 2h + gear[byte], falls below a threshold. The hash restarts in each chunk and
/// depends only on the last 64 bytes, so all but the last 64 of the first `least` bytes are skipped.
struct Chunker {
    /// In bytes.
    struct Lengths: Hashable, Sendable {
        var least: Int
        var mean: Int
        var most: Int

        static let short = Lengths(least: 4 << 10, mean: 16 << 10, most: 64 << 10)
        static let long = Lengths(least: 16 << 10, mean: 64 << 10, most: 256 << 10)

        /// Both devices derive the lengths from the size.
        static func forFile(
            _ size: UInt64, limits: DocumentLimits = DocumentLimits()
        ) -> Lengths {
            size > limits.longChunksFrom ? .long : .short
        }
    }

    private static let window = 64

    /// SplitMix64 (Steele, Lea and Flood, 2014) from zero. Must never change: all devices cut with it.
    static let gear: [UInt64] = {
        var words = Randomness.seeded(0)
        return (0..<256).map { _ in words.next() }
    }()

    private let lengths: Lengths
    private let threshold: UInt64
    private let gear = Self.gear
    private var hash: UInt64 = 0
    private(set) var begun = 0

    init(_ lengths: Lengths) {
        self.lengths = lengths
        threshold = .max / UInt64(lengths.mean - lengths.least)
    }

    /// Returns how many bytes complete the current chunk; the caller passes the rest again. Nil: the chunk continues.
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
