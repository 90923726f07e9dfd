// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffDaemon

/// Shows V04, C06: the memory of all streams is bounded and shared equally.
@Suite struct StreamBudgetTests {
    @Test func allPiecesOfAllStreamsFitIntoTheBudget() {
        for streams in 1...StreamLimits().streams {
            let piece = StreamBudget.piece(amongst: streams)
            #expect(2 * streams * piece <= StreamBudget.bytes, "\(streams) streams")
            #expect(piece >= StreamBudget.smallestPiece && piece.nonzeroBitCount == 1)
        }
        #expect(StreamBudget.piece(amongst: 0) == StreamBudget.largestPiece)
        #expect(StreamBudget.piece(amongst: 1) == StreamBudget.largestPiece)
        #expect(StreamBudget.piece(amongst: 100) == 16 << 10)
    }

    @Test func moreStreamsNeverGetLargerPieces() {
        let pieces = (1...StreamLimits().streams).map { StreamBudget.piece(amongst: $0) }
        #expect(pieces == pieces.sorted(by: >))
    }
}
