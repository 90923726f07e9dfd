// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The board while the user is away. Shows L13, B02.
@Suite final class BoardAbsenceTests {
    private let mail: ClientID = 1
    private let notes: ClientID = 2
    private let script: ClientID = 3
    private var board = BoardStateMachine()

    init() {
        _ = board.publish(BoardFixture.offer(1, of: 1, at: .at(.seconds(1))), by: mail, now: .at(.seconds(1)))
        _ = board.published(
            BoardFixture.offer(2, of: nil, at: .at(.seconds(2))), by: script, isHeld: true, now: .at(.seconds(2)),
            wall: BoardFixture.wall(.at(.seconds(2))))
        _ = board.publish(BoardFixture.offer(3, of: 2, at: .at(.seconds(3))), by: notes, now: .at(.seconds(3)))
    }

    private func userIsAway(_ isAway: Bool, at seconds: Int) -> BoardUpdate {
        let now = Instant.at(.seconds(seconds))
        return board.userIsAway(isAway, now: now, wall: BoardFixture.wall(now))
    }

    private func activities(_ numbers: UInt8...) -> [ActivityID] { numbers.map(BoardFixture.activity) }

    @Test func onlyWhatAScriptHoldsStays() {
        #expect(userIsAway(true, at: 10).delta?.withdrawn == activities(1, 3))
        let (offers, snapshot, count) = (board.offers, board.snapshot, board.count)
        #expect(offers.map(\.activity) == activities(2))
        #expect(snapshot.offers == offers, "also for a peer that comes now")
        #expect(count == 1)
        #expect(userIsAway(true, at: 11) == .none, "once")
    }

    @Test func allIsBackAtOnceAsItWas() {
        let before = board.offers
        _ = userIsAway(true, at: 10)
        let update = userIsAway(false, at: 3600)
        let after = board.offers
        #expect(after == before, "the same order, the same times")
        #expect(update.delta?.upserted.map(\.activity) == activities(3, 1))
        #expect(update.delta?.withdrawn == [])
        #expect(userIsAway(false, at: 3601) == .none)
    }

    @Test func changesDuringAbsenceShowOnReturn() {
        _ = userIsAway(true, at: 10)
        let announced = board.announce(
            BoardFixture.offer(4, of: 3, at: .at(.seconds(20))), by: 4, now: .at(.seconds(20)))
        #expect(announced == nil)
        let withdrawn = board.withdraw(BoardFixture.activity(1), by: mail, of: 1, now: .at(.seconds(21)))
        #expect(withdrawn.delta == nil)
        let back = userIsAway(false, at: 30).delta
        #expect(back?.upserted.map(\.activity) == activities(4, 3))
        #expect(back?.withdrawn == [])
    }

    /// It expires on time, even while hidden.
    @Test func keptActivityIsHiddenDuringAbsenceAndReturns() {
        _ = board.quit(mail, saved: BoardFixture.wallZero, now: .at(.seconds(5)))
        #expect(userIsAway(true, at: 10).delta?.withdrawn == activities(1, 3))
        #expect(userIsAway(false, at: 20).delta?.upserted.map(\.activity) == activities(3, 1))
        _ = userIsAway(true, at: 30)
        let over = board.reach(.at(.seconds(5 + 601)))
        #expect(over.delta == nil)
        #expect(userIsAway(false, at: 700).delta?.upserted.map(\.activity) == activities(3))
    }

    /// The desktop's user chose it just before the laptop's screen was locked, and the app is still starting.
    @Test func hiddenOfferStaysFetchableForAWhile() {
        _ = userIsAway(true, at: 10)
        _ = board.publish(BoardFixture.offer(4, of: 3), by: 4, now: .at(.seconds(11)))
        let soon = Instant.at(.seconds(39))
        let late = Instant.at(.seconds(40))
        let offered = [1, 2, 3, 4].map { board.isOffered(BoardFixture.activity($0), now: soon) }
        #expect(offered == [true, true, true, false], "what was never seen is nobody's")
        let stillOffered = [1, 2, 3, 4].map { board.isOffered(BoardFixture.activity($0), now: late) }
        #expect(stillOffered == [false, true, false, false])
        _ = userIsAway(false, at: 50)
        let again = [1, 2, 3, 4].map { board.isOffered(BoardFixture.activity($0), now: .at(.seconds(50))) }
        #expect(again == [true, true, true, true])
    }

    @Test func aFetchMayBeAsLateAsAStartTakes() {
        let continuation = ContinuationLimits()
        #expect(BoardLimits().lateFetches > continuation.launch + continuation.announce)
        #expect(BoardLimits().lateFetches <= .seconds(30))
    }

    /// A screen that is locked and unlocked repeatedly must cost peers no more than a busy app.
    @Test func theirReturnHasThePaceOfAnyChange() {
        var upserted = 0
        for _ in 0..<100 {
            _ = userIsAway(true, at: 10)
            upserted += userIsAway(false, at: 10).delta?.upserted.count ?? 0
        }
        #expect(upserted <= 2 * Limits.offerBurst)
        let waits = board.nextDeadline
        #expect(waits.map { $0 <= Instant.at(.seconds(11)) } == true)
        let delta = board.reach(.at(.seconds(11))).delta
        #expect(delta?.upserted.map(\.activity) == activities(3, 1))
    }
}
