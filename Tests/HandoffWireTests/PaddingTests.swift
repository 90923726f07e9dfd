// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X03: the length of frames about a board.
@Suite struct PaddingTests {
    private static let activity = ActivityID(uncheckedBytes: Array(repeating: 1, count: 16))

    private func delta(titled count: Int) -> PeerFrame {
        var offer = SampleFrames.offer
        offer.title = DisplayText(cleaning: String(repeating: "x", count: count))
        return PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 1, upserted: [offer]))))
    }

    @Test func boardFramesArePaddedToAMultipleOfTheStep() throws {
        for count in 0...1024 {
            let frame = delta(titled: count)
            let bytes = try frame.padded().encoded()
            #expect(bytes.count % Limits.boardFrameStep == 0)
            #expect(bytes.count - (try frame.encoded().count) <= Limits.boardFrameStep + 130)
            var read = try PeerFrame(encoded: bytes)
            read.padding = 0
            #expect(read == frame)
        }
    }

    @Test func anOfferAndItsWithdrawalAreAlike() throws {
        let withdrawn = (0..<30).map { _ in Self.activity }
        for count in [1, 5, 30] {
            let gone = BoardDelta(revision: 2, withdrawn: Array(withdrawn.prefix(count)))
            #expect(try PeerFrame(.advertising(.boardDelta(gone))).padded().encoded().count == Limits.boardFrameStep)
        }
        #expect(try delta(titled: 100).padded().encoded().count == Limits.boardFrameStep)
        #expect(Limits.boardFrameStep + 100 < 1280, "one packet, of IPv6 too, with what TLS and TCP put around it")
    }

    @Test func onlyBoardFramesArePaddedAndOnlyOnce() throws {
        for frame in [PeerFrame(.ping, request: 1), PeerFrame(.advertising(.boardRequest)).padded()] {
            #expect(frame.padded() == frame)
        }
    }

    /// A frame near the limit stays unpadded.
    @Test func paddingMakesNoFrameTooLong() throws {
        let step = Limits.boardFrameStep
        #expect(PeerFrame.padding(after: 100, within: step).count == step - 100)
        #expect(PeerFrame.padding(after: 100, within: step - 1).isEmpty)
        #expect(Limits.frameBytes % Limits.boardFrameStep == 0, "so that hardly any is")
    }
}
