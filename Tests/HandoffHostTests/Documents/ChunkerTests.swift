// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffHost

@Suite struct ChunkerTests {
    /// Pseudorandom bytes.
    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// The lengths of all chunks, with the bytes in pieces of at most `piece`.
    private func cuts(_ bytes: [UInt8], _ lengths: Chunker.Lengths = .short, piece: Int = .max) -> [Int] {
        var chunker = Chunker(lengths)
        var cuts: [Int] = []
        bytes.withUnsafeBytes { bytes in
            var begin = 0
            var piece = bytes[..<min(piece, bytes.count)]
            let most = piece.count
            while !piece.isEmpty {
                if let cut = chunker.cut(in: UnsafeRawBufferPointer(rebasing: piece)) {
                    cuts.append(piece.startIndex + cut - begin)
                    begin = piece.startIndex + cut
                    piece = bytes[begin..<piece.endIndex]
                } else {
                    piece = bytes[piece.endIndex..<piece.endIndex]
                }
                if piece.isEmpty { piece = bytes[piece.endIndex..<min(piece.endIndex + most, bytes.count)] }
            }
            if chunker.begun > 0 { cuts.append(chunker.begun) }
        }
        return cuts
    }

    @Test func gearTableIsTheSameOnAllDevices() {
        #expect(Chunker.gear.count == 256)
        #expect(Set(Chunker.gear).count == 256)
        // SplitMix64 from zero, as published by its authors.
        #expect(Chunker.gear[..<3] == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
    }

    @Test func cutsAreWhereTheyWere() {
        let bytes = Self.bytes(300_000, seed: 7)
        #expect(cuts(bytes) == Self.knownCuts)
    }

    private static let knownCuts = [
        5630, 65_536, 12_765, 7798, 18_285, 15_565, 24_829, 4133, 10_376, 33_010, 56_807, 29_190, 10_641, 5435,
    ]

    @Test(arguments: [1, 63, 64, 65, 4095, 4096, 4097, 16_000, 65_536, 100_000])
    func piecesDoNotMatter(piece: Int) {
        let bytes = Self.bytes(400_000, seed: 1)
        #expect(cuts(bytes, piece: piece) == cuts(bytes))
        let long = Self.bytes(700_000, seed: 2)
        #expect(cuts(long, .long, piece: piece) == cuts(long, .long))
    }

    @Test(arguments: [Chunker.Lengths.short, .long]) func lengthsAreBoundedAndHaveTheirMean(lengths: Chunker.Lengths) {
        let bytes = Self.bytes(200 * lengths.mean, seed: 3)
        let cuts = cuts(bytes, lengths)
        #expect(cuts.reduce(0, +) == bytes.count)
        #expect(cuts.dropLast().allSatisfy { lengths.least...lengths.most ~= $0 })
        let mean = bytes.count / cuts.count
        #expect((lengths.mean * 8 / 10...lengths.mean * 12 / 10).contains(mean), "\(mean)")
    }

    @Test func uniformContentIsCutAtMaximumChunkSize() {
        let cuts = cuts([UInt8](repeating: 0, count: 200_000))
        #expect(cuts == [65_536, 65_536, 65_536, 200_000 - 3 * 65_536])
    }

    @Test func shortAndEmptyFilesAreOneChunkAndNone() {
        #expect(cuts([]) == [])
        #expect(cuts([1]) == [1])
        #expect(cuts(Self.bytes(4095, seed: 4)) == [4095])
    }

    /// The purpose of content-defined chunks.
    @Test func anInsertionMovesTheCutsBesideItAlone() {
        let bytes = Self.bytes(2_000_000, seed: 5)
        var edited = bytes
        edited.insert(contentsOf: Self.bytes(100, seed: 6), at: 1_000_000)
        func ends(_ bytes: [UInt8]) -> [Int] {
            cuts(bytes).reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        }
        let before = Set(ends(bytes).filter { $0 < 1_000_000 })
        let after = Set(ends(bytes).filter { $0 > 1_200_000 }.map { $0 + 100 })
        let found = Set(ends(edited))
        #expect(before.isSubset(of: found))
        #expect(after.isSubset(of: found))
    }

    @Test func longChunksAreOfLargeFiles() {
        #expect(Chunker.Lengths.forFile(DocumentLimits().longChunksFrom) == .short)
        #expect(Chunker.Lengths.forFile(DocumentLimits().longChunksFrom + 1) == .long)
        let (short, long) = (Chunker.Lengths.short, Chunker.Lengths.long)
        #expect([short.least, short.mean, short.most] == [4096, 16_384, 65_536])
        #expect([long.least, long.mean, long.most] == [16_384, 65_536, 262_144])
    }
}
