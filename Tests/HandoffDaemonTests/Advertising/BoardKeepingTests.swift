// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Offers of apps that quit, and automatic expiry. Shows B09.
@Suite struct BoardKeepingTests {
    private let mail: ClientID = 1
    private let secondMail: ClientID = 2
    private let notes: ClientID = 3
    private let letter = BoardFixture.offer(1)
    private let saved = BoardFixture.wall(.at(.seconds(5)))
    private let limits: BoardLimits = {
        var limits = BoardLimits()
        limits.keep = .seconds(60)
        limits.expiry = .seconds(1000)
        limits.offers = 3
        return limits
    }()

    private func letterOnTheBoard() -> BoardStateMachine {
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(letter, by: mail)
        return board
    }

    private func kept(_ offer: Offer) -> Offer {
        var offer = offer
        offer.saved = saved
        return offer
    }

    @Test func activityOfAnAppThatQuitIsListedAsSaved() {
        var board = letterOnTheBoard()
        let update = board.quit(mail, saved: saved, now: .at(.seconds(10)))
        #expect(
            update == BoardUpdate(isChanged: true, delta: BoardDelta(revision: 2, upserted: [kept(letter)])))
        #expect(board.snapshot.offers == [kept(letter)])
        let (entry, left) = (board.entry(letter.activity), board.kept)
        #expect(entry?.offer == kept(letter))
        #expect(entry?.client == nil)
        #expect(left == [kept(letter)])
    }

    @Test func itGoesWhenItsTimeIsOver() {
        var board = letterOnTheBoard()
        _ = board.quit(mail, saved: saved, now: .at(.seconds(10)))
        let deadline = board.nextDeadline
        #expect(deadline == .at(.seconds(70)))
        #expect(board.reach(.at(.seconds(69))) == .none)
        #expect(board.reach(.at(.seconds(70))).delta?.withdrawn == [letter.activity])
        let next = board.nextDeadline
        #expect(next == nil)
    }

    @Test func keptActivityExpiresOnItsExpirationDate() {
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(BoardFixture.offer(1, expires: .seconds(20)), by: mail)
        _ = board.quit(mail, saved: saved, now: .at(.seconds(10)))
        #expect(board.reach(.at(.seconds(20))).delta?.withdrawn == [letter.activity])
    }

    @Test func quitWithdrawsActivityIfKeepingIsOff() {
        var limits = limits
        limits.keep = .zero
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(letter, by: mail)
        #expect(board.quit(mail, saved: saved).delta?.withdrawn == [letter.activity])
    }

    @Test func activityOfProgramWithoutBundleIsNotKept() {
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(BoardFixture.offer(1, of: nil), by: mail)
        #expect(board.quit(mail, saved: saved).delta?.withdrawn == [letter.activity])
    }

    @Test func onlyLastProcessOfAppLeavesItsActivity() {
        var board = letterOnTheBoard()
        _ = board.publish(BoardFixture.offer(2), by: secondMail)
        #expect(board.quit(mail, saved: saved).delta?.withdrawn == [letter.activity])
        // Only the last process leaves its activity.
        _ = board.quit(secondMail, saved: saved)
        let left = board.kept.map(\.activity)
        #expect(left == [BoardFixture.activity(2)])
    }

    @Test func nextOfferReplacesKeptActivityInOneDelta() {
        var board = letterOnTheBoard()
        _ = board.quit(mail, saved: saved)
        let delta = board.announce(BoardFixture.offer(2, at: .at(.seconds(20))), by: secondMail, now: .at(.seconds(20)))
        #expect(delta?.upserted.map(\.activity) == [BoardFixture.activity(2)])
        #expect(delta?.withdrawn == [letter.activity])
        let left = board.kept
        #expect(left.isEmpty)
    }

    /// Peers keep it until its replacement is sent, so that nothing flickers.
    @Test func keptActivityStaysUntilReplacementIsSent() {
        var limits = limits
        limits.burst = 2
        limits.spacing = .milliseconds(100)
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(letter, by: mail)
        _ = board.quit(mail, saved: saved)
        #expect(board.announce(BoardFixture.offer(2), by: secondMail) == nil)
        #expect(board.snapshot.offers == [kept(letter)])
        let delta = board.reach(.at(.milliseconds(100))).delta
        #expect(delta?.upserted.map(\.activity) == [BoardFixture.activity(2)])
        #expect(delta?.withdrawn == [letter.activity])
    }

    @Test func restartedAppResumesItsActivityInPlace() {
        var board = letterOnTheBoard()
        _ = board.publish(BoardFixture.offer(9, of: 2, at: .at(.seconds(1))), by: notes, now: .at(.seconds(1)))
        _ = board.quit(mail, saved: saved, now: .at(.seconds(2)))
        let again = BoardFixture.offer(1, at: .at(.seconds(3)))
        let delta = board.announce(again, by: secondMail, now: .at(.seconds(3)))
        #expect(delta?.upserted == [letter])
        let offers = board.offers.map(\.activity)
        #expect(offers == [BoardFixture.activity(9), letter.activity])
        // It is live again, so it no longer expires.
        #expect(board.reach(.at(.seconds(200))) == .none)
    }

    @Test func restartedAppMayEndItsActivity() {
        var board = letterOnTheBoard()
        _ = board.quit(mail, saved: saved)
        #expect(board.withdraw(letter.activity, by: notes, of: 2) == .none)
        let update = board.withdraw(letter.activity, by: secondMail, of: 1)
        #expect(update.delta?.withdrawn == [letter.activity])
    }

    @Test func currentActivityEvictsOldestKeptActivity() {
        var board = BoardStateMachine(limits: limits)
        for app in 1...3 {
            _ = board.publish(
                BoardFixture.offer(UInt8(app), of: app, at: .at(.seconds(app))), by: ClientID(UInt64(app)))
            _ = board.quit(ClientID(UInt64(app)), saved: saved)
        }
        let delta = board.announce(BoardFixture.offer(4, of: 4, at: .at(.seconds(4))), by: 4)
        #expect(delta?.withdrawn == [letter.activity], "the oldest gives way")
        let offers = board.offers.map(\.activity)
        #expect(offers == [4, 3, 2].map { BoardFixture.activity($0) })
    }

    @Test func droppedActivityIsWithdrawn() {
        var board = letterOnTheBoard()
        _ = board.quit(mail, saved: saved)
        let update = board.dropped(letter.activity, now: .zero, wall: BoardFixture.wallZero)
        #expect(update.delta?.withdrawn == [letter.activity])
    }

    // MARK: Automatic expiry

    // Shows A18.
    @Test func activityWithoutUpdatesIsWithdrawn() {
        var board = letterOnTheBoard()
        let deadline = board.nextDeadline
        #expect(deadline == .at(.seconds(1000)))
        #expect(board.reach(.at(.seconds(999))) == .none)
        #expect(board.reach(.at(.seconds(1000))).delta?.withdrawn == [letter.activity])
    }

    // Shows A18.
    @Test func refreshPostponesAutomaticExpiry() {
        var board = letterOnTheBoard()
        _ = board.publish(letter, by: mail, now: .at(.seconds(600)))
        #expect(board.reach(.at(.seconds(1000))) == .none)
        #expect(board.refreshed(letter.activity, by: mail, now: .at(.seconds(1200))) == true)
        #expect(board.reach(.at(.seconds(1600))) == .none)
        #expect(board.reach(.at(.seconds(2200))).delta?.withdrawn == [letter.activity])
        #expect(board.refreshed(letter.activity, by: mail, now: .at(.seconds(2300))) == false)
    }

    @Test func anotherClientDoesNotSpeakForIt() {
        var board = letterOnTheBoard()
        #expect(board.refreshed(letter.activity, by: notes, now: .zero) == false)
    }

    @Test func expirationDateIsTheAppsOwnWord() {
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(BoardFixture.offer(1, expires: .seconds(5000)), by: mail)
        #expect(board.reach(.at(.seconds(4900))) == .none)
        let deadline = board.nextDeadline
        #expect(deadline == .at(.seconds(5000)))
    }

    @Test func activityLastHeardLongAgoIsNotOffered() {
        var board = BoardStateMachine(limits: limits)
        let now = Instant.at(.seconds(2000))
        let action = board.published(letter, by: mail, heard: .zero, now: now, wall: BoardFixture.wall(now))
        #expect(action == .update(.none))
    }

    @Test func withoutALimitItStays() {
        var limits = limits
        limits.expiry = .zero
        var board = BoardStateMachine(limits: limits)
        _ = board.publish(letter, by: mail)
        let deadline = board.nextDeadline
        #expect(deadline == nil)
    }

    @Test func standardTimesAreADayAndTenMinutes() {
        #expect(BoardLimits().expiry == .seconds(86400))
        #expect(BoardLimits().keep == .seconds(600))
    }
}
