// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct BoardStateMachineTests {
    private let mail: ClientID = 1
    private let notes: ClientID = 2
    private let letter = BoardFixture.offer(1)
    private let draft = BoardFixture.offer(2)

    /// Shows B01.
    @Test func currentActivityIsAnnouncedAtOnce() {
        var board = BoardStateMachine()
        let action = board.publish(letter, by: mail)
        #expect(action == .update(BoardUpdate(isChanged: true, delta: BoardDelta(revision: 1, upserted: [letter]))))
        #expect(board.snapshot == BoardSnapshot(revision: 1, offers: [letter]))
    }

    /// Shows B14: in one delta, so that nothing flickers.
    @Test func secondActivityOfAClientReplacesTheFirst() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        let delta = board.announce(draft, by: mail, now: .at(.seconds(1)))
        #expect(delta?.upserted.map(\.activity) == [draft.activity])
        #expect(delta?.withdrawn == [letter.activity])
        #expect(delta?.revision == 2)
        let count = board.count
        #expect(count == 1)
    }

    /// Shows B02, B13.
    @Test func withdrawnActivityIsGoneAtOnce() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        let update = board.withdraw(letter.activity, by: mail)
        #expect(update == BoardUpdate(isChanged: true, delta: BoardDelta(revision: 2, withdrawn: [letter.activity])))
        #expect(board.snapshot == BoardSnapshot(revision: 2, offers: []))
    }

    /// Shows B02.
    @Test func offersOfAClientGoWithIt() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        _ = board.publish(BoardFixture.offer(3, of: 2), by: notes)
        let update = board.clientClosed(mail, now: .zero, wall: BoardFixture.wallZero)
        #expect(update.delta?.withdrawn == [letter.activity])
        let left = board.offers.map(\.activity)
        #expect(left == [BoardFixture.activity(3)])
    }

    @Test func anotherClientCannotWithdrawIt() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        #expect(board.withdraw(letter.activity, by: notes) == .none)
        #expect(board.withdraw(draft.activity, by: mail) == .none)
    }

    @Test func eachClientHasACurrentActivityOfItsOwn() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        _ = board.publish(draft, by: notes)
        let offers = board.offers.map(\.activity)
        #expect(offers == [draft.activity, letter.activity])
    }

    @Test func newActivityIsFirstThoughTheWallClockWentBack() {
        var board = BoardStateMachine()
        _ = board.publish(BoardFixture.offer(1, at: .at(.seconds(3600))), by: mail, now: .at(.seconds(3600)))
        _ = board.published(
            BoardFixture.offer(3, of: 2), by: notes, now: .at(.seconds(3601)), wall: BoardFixture.wallZero)
        let offers = board.offers.map(\.activity)
        #expect(offers == [BoardFixture.activity(3), letter.activity])
        #expect(board.snapshot.offers.map(\.activity) == offers)
    }

    @Test func changedDescriptionKeepsItsPlace() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        _ = board.publish(BoardFixture.offer(3, of: 2, at: .at(.seconds(1))), by: notes, now: .at(.seconds(1)))
        let renamed = BoardFixture.offer(1, title: "Dear all", at: .at(.seconds(2)))
        let delta = board.announce(renamed, by: mail, now: .at(.seconds(2)))
        #expect(delta?.upserted.map(\.since) == [letter.since])
        let offers = board.offers.map(\.activity)
        #expect(offers == [BoardFixture.activity(3), letter.activity])
    }

    /// Shows B14.
    @Test func userComingBackToAnActivityMakesItTheNewest() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        _ = board.publish(BoardFixture.offer(3, of: 2, at: .at(.seconds(1))), by: notes, now: .at(.seconds(1)))
        _ = board.publish(BoardFixture.offer(1, at: .at(.seconds(2))), by: mail, now: .at(.seconds(2)))
        let offers = board.offers.map(\.activity)
        #expect(offers == [letter.activity, BoardFixture.activity(3)])
    }

    @Test func sayingTheSameAgainChangesNothing() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        let again = BoardFixture.offer(1, at: .at(.seconds(9)))
        #expect(board.publish(again, by: mail, now: .at(.seconds(9))) == .update(.none))
    }

    /// Shows A17.
    @Test func activityThatHasExpiredIsNotOffered() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        let past = BoardFixture.offer(2, expires: .zero)
        let delta = board.announce(past, by: mail)
        #expect(delta == BoardDelta(revision: 2, withdrawn: [letter.activity]))
        let count = board.count
        #expect(count == 0)
    }

    /// Shows A17, B02.
    @Test func activityIsWithdrawnWhenItExpires() {
        var board = BoardStateMachine()
        _ = board.publish(BoardFixture.offer(1, expires: .seconds(60)), by: mail)
        let deadline = board.nextDeadline
        #expect(deadline == .at(.seconds(60)))
        #expect(board.deadlineReached(now: .at(.seconds(59)), wall: BoardFixture.wall(.at(.seconds(59)))) == .none)
        let update = board.deadlineReached(now: .at(.seconds(60)), wall: BoardFixture.wall(.at(.seconds(60))))
        #expect(update.delta?.withdrawn == [letter.activity])
        let next = board.nextDeadline
        #expect(next == nil)
    }

    @Test func expirationInAnAbsurdFutureIsHarmless() {
        var board = BoardStateMachine()
        var offer = letter
        offer.expires = WallTime(milliseconds: .max)
        #expect(board.announce(offer, by: mail) != nil)
        offer.expires = WallTime(milliseconds: .min)
        #expect(board.announce(offer, by: mail) == BoardDelta(revision: 2, withdrawn: [letter.activity]))
    }

    @Test func boardHoldsNoMoreThanItsLimit() {
        var limits = BoardLimits()
        limits.offers = 3
        limits.burst = 100
        var board = BoardStateMachine(limits: limits)
        for client in 1...3 as ClosedRange<UInt8> {
            _ = board.publish(BoardFixture.offer(client), by: ClientID(UInt64(client)))
        }
        #expect(board.publish(BoardFixture.offer(4), by: 4) == .refuse(Failure(.limitReached, "")))
        // A client at the limit may still replace its own offer.
        #expect(board.announce(BoardFixture.offer(5), by: 1) != nil)
        #expect(BoardLimits().offers == Limits.offersPerBoard)
    }

    @Test func reconnectedAppKeepsItsActivity() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        let reconnected: ClientID = 7
        #expect(board.publish(letter, by: reconnected) == .update(.none))
        #expect(board.clientClosed(mail, now: .zero, wall: BoardFixture.wallZero) == .none)
        let owner = board.entry(letter.activity)?.client
        #expect(owner == reconnected)
    }

    @Test func activityOfAnotherAppCannotBeTaken() {
        var board = BoardStateMachine()
        _ = board.publish(letter, by: mail)
        #expect(board.publish(BoardFixture.offer(1, of: 2), by: notes) == .refuse(Failure(.notAllowed, "")))
    }
}
