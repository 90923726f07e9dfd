// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct FrameTests {
    @Test func framesArriveByteByByte() throws {
        let frames = [[1], Array(repeating: 2, count: 300), [3, 4, 5]] as [[UInt8]]
        var assembler = FrameAssembler(limit: 1000)
        var arrived: [[UInt8]] = []
        for byte in try frames.flatMap({ try FrameHeader.framed($0, limit: 1000) }) {
            assembler.append([byte])
            while let frame = try assembler.next() { arrived.append(frame) }
        }
        #expect(arrived == frames)
        #expect(assembler.pendingBytes == 0)
    }

    @Test(arguments: 0..<50) func framesArriveInPiecesOfAnySize(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let frames = (0..<20).map { _ in
            [UInt8](repeating: .random(in: 0...255, using: &random), count: .random(in: 1...5000, using: &random))
        }
        var stream = try frames.flatMap { try FrameHeader.framed($0, limit: 5000) }[...]
        var assembler = FrameAssembler(limit: 5000)
        var arrived: [[UInt8]] = []
        while !stream.isEmpty {
            let piece = stream.prefix(Int.random(in: 1...3000, using: &random))
            stream = stream.dropFirst(piece.count)
            assembler.append(piece)
            while let frame = try assembler.next() { arrived.append(frame) }
        }
        #expect(arrived == frames, "seed \(seed)")
    }

    @Test func frameLongerThanItsLimitIsRefusedFromItsHeaderAlone() {
        var assembler = FrameAssembler(limit: Limits.helloFrameBytes)
        assembler.append(FrameHeader.bytes(length: Limits.helloFrameBytes + 1))
        #expect(throws: WireError(.frameTooLarge, "")) { try assembler.next() }
        #expect(throws: WireError(.frameTooLarge, "")) { try FrameHeader.framed([1, 2, 3], limit: 2) }
    }

    @Test func lengthOfFourGibibytesIsRefused() {
        var assembler = FrameAssembler(limit: Limits.frameBytes)
        assembler.append([255, 255, 255, 255])
        #expect(throws: WireError(.frameTooLarge, "")) { try assembler.next() }
    }

    @Test func emptyFrameIsRefused() {
        var assembler = FrameAssembler()
        assembler.append([0, 0, 0, 0])
        #expect(throws: WireError(.malformed, "")) { try assembler.next() }
    }

    @Test func missingBytesLeaveAnUnfinishedFrame() throws {
        var assembler = FrameAssembler()
        assembler.append(FrameHeader.bytes(length: 10) + [1, 2, 3])
        #expect(try assembler.next() == nil)
        #expect(assembler.pendingBytes == 7)
    }

    @Test func versionsAgreeOnTheHighestBothKnow() {
        #expect(ProtocolVersion.agreed(ours: 1...3, theirMinimum: 2, theirMaximum: 5) == 3)
        #expect(ProtocolVersion.agreed(ours: 1...3, theirMinimum: 1, theirMaximum: 1) == 1)
        #expect(ProtocolVersion.agreed(ours: 2...3, theirMinimum: 1, theirMaximum: 1) == nil)
        #expect(ProtocolVersion.agreed(ours: 1...1, theirMinimum: 2, theirMaximum: 9) == nil)
        #expect(ProtocolVersion.agreed(ours: 1...1, theirMinimum: 3, theirMaximum: 1) == nil)
    }
}
