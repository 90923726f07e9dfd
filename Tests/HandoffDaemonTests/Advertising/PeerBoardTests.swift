// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct PeerBoardTests {
    private let wall = BoardFixture.wallZero
    private let older = BoardFixture.offer(1)
    private let newer = BoardFixture.offer(2, at: .at(.seconds(1)))

    private func board(revision: UInt64 = 5, _ offers: [Offer]) -> PeerBoard {
        var board = PeerBoard()
        _ = board.snapshotReceived(BoardSnapshot(revision: revision, offers: offers), wall: wall)
        return board
    }

    @Test func snapshotIsShownNewestFirst() {
        #expect(board([older, newer]).offers == [newer, older])
    }

    /// Shows B01.
    @Test func deltaOfTheNextRevisionIsShown() {
        var board = board([older])
        #expect(board.deltaReceived(BoardDelta(revision: 6, upserted: [newer]), wall: wall) == .show)
        #expect(board.offers == [newer, older])
    }

    /// Shows B02, B13.
    @Test func withdrawnOfferDisappears() {
        var board = board([newer, older])
        #expect(board.deltaReceived(BoardDelta(revision: 6, withdrawn: [newer.activity]), wall: wall) == .show)
        #expect(board.offers == [older])
    }

    @Test func changedOfferIsReplaced() {
        var board = board([newer, older])
        let renamed = BoardFixture.offer(1, title: "Dear all")
        #expect(board.deltaReceived(BoardDelta(revision: 6, upserted: [renamed]), wall: wall) == .show)
        #expect(board.offers == [newer, renamed])
    }

    @Test func gapAsksForASnapshotOnce() {
        var board = board([older])
        #expect(board.deltaReceived(BoardDelta(revision: 7, upserted: [newer]), wall: wall) == .askForSnapshot)
        #expect(board.deltaReceived(BoardDelta(revision: 8), wall: wall) == .ignore)
        #expect(board.offers == [older])
        #expect(board.snapshotReceived(BoardSnapshot(revision: 8, offers: [newer]), wall: wall) == true)
        #expect(board.offers == [newer])
        #expect(board.deltaReceived(BoardDelta(revision: 9, withdrawn: [newer.activity]), wall: wall) == .show)
    }

    @Test func nextDeltaAsksAgainWhenNoSnapshotCame() {
        var board = PeerBoard()
        #expect(board.deltaReceived(BoardDelta(revision: 7), wall: wall) == .askForSnapshot)
        board.snapshotFailed()
        #expect(board.deltaReceived(BoardDelta(revision: 8), wall: wall) == .askForSnapshot)
    }

    @Test func staleDeltaIsIgnored() {
        var board = board([older])
        #expect(board.deltaReceived(BoardDelta(revision: 5, withdrawn: [older.activity]), wall: wall) == .ignore)
        #expect(board.deltaReceived(BoardDelta(revision: 1, upserted: [newer]), wall: wall) == .ignore)
        #expect(board.offers == [older])
    }

    @Test func revisionsAtTheEndOfTheirRangeAreHarmless() {
        var board = board(revision: .max, [older])
        #expect(board.deltaReceived(BoardDelta(revision: 0, withdrawn: [older.activity]), wall: wall) == .ignore)
        #expect(board.deltaReceived(BoardDelta(revision: .max), wall: wall) == .ignore)
    }

    /// Shows A17.
    @Test func offerExpiresHereToo() {
        var board = board([BoardFixture.offer(1, expires: .seconds(60)), newer])
        #expect(board.nextExpiry == wall.advanced(by: .seconds(60)))
        #expect(board.expire(wall: wall.advanced(by: .seconds(59))) == false)
        #expect(board.expire(wall: wall.advanced(by: .seconds(60))) == true)
        #expect(board.offers == [newer])
        #expect(board.nextExpiry == nil)
    }

    @Test func hostileSnapshotShowsOneLineAnActivity() {
        #expect(board([older, newer, older]).offers == [newer, older])
    }

    @Test func boardOfAPeerIsBounded() {
        var board = board((0..<100).map { BoardFixture.offer($0) })
        let more = BoardDelta(revision: 6, upserted: (100..<200).map { BoardFixture.offer($0, at: .at(.seconds(1))) })
        #expect(board.deltaReceived(more, wall: wall) == .show)
        #expect(board.offers.count == Limits.offersPerBoard)
    }
}
