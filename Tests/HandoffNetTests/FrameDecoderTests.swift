// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import NIOCore
import Testing

@testable import HandoffNet

/// Shows X08: frames from malicious bytes.
@Suite struct FrameDecoderTests {
    private func frames(_ decoder: inout FrameDecoder) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        while let body = try decoder.next() { bodies.append(Array(body)) }
        return bodies
    }

    private let two: [UInt8] = [0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 1, 9]

    @Test func cutsFramesOutOfOneRead() throws {
        var decoder = FrameDecoder(limit: 16)
        decoder.append(ByteBuffer(bytes: two))
        #expect(try frames(&decoder) == [[1, 2, 3], [9]])
        #expect(decoder.pendingBytes == 0)
    }

    @Test func putsTogetherWhatDripsInByteByByte() throws {
        var decoder = FrameDecoder(limit: 16)
        var bodies: [[UInt8]] = []
        for byte in two {
            decoder.append(ByteBuffer(bytes: [byte]))
            bodies += try frames(&decoder)
        }
        #expect(bodies == [[1, 2, 3], [9]])
        #expect(decoder.pendingBytes == 0)
    }

    @Test(arguments: 1...11) func findsTheSameFramesWhereverTheReadsAreCut(_ cut: Int) throws {
        var decoder = FrameDecoder(limit: 16)
        decoder.append(ByteBuffer(bytes: two[..<cut]))
        var bodies = try frames(&decoder)
        decoder.append(ByteBuffer(bytes: two[cut...]))
        bodies += try frames(&decoder)
        #expect(bodies == [[1, 2, 3], [9]])
    }

    @Test func refusesAFrameOverTheLimitByItsHeaderAlone() {
        var decoder = FrameDecoder(limit: 16)
        decoder.append(ByteBuffer(bytes: [0, 0, 0, 17]))
        #expect(throws: WireError(.frameTooLarge, "")) { try decoder.next() }
    }

    @Test func refusesATooLargeLength() {
        var decoder = FrameDecoder(limit: Limits.frameBytes)
        decoder.append(ByteBuffer(bytes: [0xFF, 0xFF, 0xFF, 0xFF, 1]))
        #expect(throws: WireError(.frameTooLarge, "")) { try decoder.next() }
    }

    @Test func refusesAnEmptyFrame() {
        var decoder = FrameDecoder(limit: 16)
        decoder.append(ByteBuffer(bytes: [0, 0, 0, 0]))
        #expect(throws: WireError(.malformed, "")) { try decoder.next() }
    }

    @Test func knowsThatTheLastFrameWasCut() throws {
        var decoder = FrameDecoder(limit: 16)
        decoder.append(ByteBuffer(bytes: two.dropLast()))
        #expect(try frames(&decoder) == [[1, 2, 3]])
        #expect(decoder.pendingBytes == 4)
    }

    @Test func takesLongerFramesOnceTheLimitIsRaised() throws {
        var decoder = FrameDecoder(limit: 2)
        decoder.append(ByteBuffer(bytes: [0, 0, 0, 1, 7, 0, 0, 0, 3, 1, 2, 3]))
        #expect(try decoder.next().map(Array.init) == [7])
        decoder.limit = 3
        #expect(try decoder.next().map(Array.init) == [1, 2, 3])
    }
}
