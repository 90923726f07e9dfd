// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct BoardPaceTests {
    private let limits: BoardLimits = {
        var limits = BoardLimits()
        limits.burst = 2
        limits.spacing = .milliseconds(100)
        limits.expiry = .zero
        return limits
    }()

    @Test func changesAfterTheBurstWaitAndTheNewestArrives() {
        var board = BoardStateMachine(limits: limits)
        #expect(board.announce(BoardFixture.offer(1), by: 1) != nil)
        #expect(board.announce(BoardFixture.offer(2), by: 1) != nil)
        #expect(board.publish(BoardFixture.offer(3), by: 1) == .update(BoardUpdate(isChanged: true)))
        #expect(board.publish(BoardFixture.offer(4), by: 1) == .update(BoardUpdate(isChanged: true)))
        let own = board.offers.map(\.activity)
        #expect(own == [BoardFixture.activity(4)])
        // Peers keep the replaced offer until its replacement is sent.
        #expect(board.snapshot.offers.map(\.activity) == [BoardFixture.activity(2)])

        let deadline = board.nextDeadline
        #expect(deadline == .at(.milliseconds(100)))
        let now = Instant.at(.milliseconds(100))
        let delta = board.deadlineReached(now: now, wall: BoardFixture.wall(now)).delta
        #expect(delta?.upserted.map(\.activity) == [BoardFixture.activity(4)])
        #expect(delta?.withdrawn == [BoardFixture.activity(2)])
        #expect(delta?.revision == 3)
        let next = board.nextDeadline
        #expect(next == nil)
    }

    /// Shows B02.
    @Test func withdrawalDoesNotWait() {
        var board = BoardStateMachine(limits: limits)
        for number in 1...3 as ClosedRange<UInt8> { _ = board.publish(BoardFixture.offer(number), by: 1) }
        let update = board.withdraw(BoardFixture.activity(3), by: 1)
        #expect(update.delta == BoardDelta(revision: 3, withdrawn: [BoardFixture.activity(2)]))
        let deadline = board.nextDeadline
        #expect(deadline == nil)
    }

    @Test func oneAppDoesNotSlowAnother() {
        var board = BoardStateMachine(limits: limits)
        for number in 1...5 as ClosedRange<UInt8> { _ = board.publish(BoardFixture.offer(number), by: 1) }
        let delta = board.announce(BoardFixture.offer(9, of: 2), by: 2)
        #expect(delta?.upserted.map(\.activity) == [BoardFixture.activity(9)])
        #expect(delta?.withdrawn == [])
    }

    /// Reconnecting for each activity must not be faster than staying connected.
    @Test func programsWithoutABundleSharePace() {
        var board = BoardStateMachine(limits: limits)
        for number in 1...2 as ClosedRange<UInt8> {
            _ = board.publish(BoardFixture.offer(number, of: nil), by: ClientID(UInt64(number)))
        }
        #expect(board.announce(BoardFixture.offer(3, of: nil), by: 3) == nil)
    }

    @Test func paceRecoversAtRest() {
        var board = BoardStateMachine(limits: limits)
        for number in 1...2 as ClosedRange<UInt8> { _ = board.publish(BoardFixture.offer(number), by: 1) }
        let later = Instant.at(.milliseconds(200))
        #expect(board.announce(BoardFixture.offer(3, at: later), by: 1, now: later) != nil)
        #expect(board.announce(BoardFixture.offer(4, at: later), by: 1, now: later) != nil)
        #expect(board.announce(BoardFixture.offer(5, at: later), by: 1, now: later) == nil)
    }

    @Test func standardPaceIsEightAtOnceThenFourASecond() {
        var board = BoardStateMachine()
        var deltas = 0
        for tick in 0..<1000 {
            let now = Instant.at(.milliseconds(tick))
            if board.announce(BoardFixture.offer(UInt8(tick % 250), at: now), by: 1, now: now) != nil { deltas += 1 }
        }
        #expect(deltas == 8 + 3)
    }
}
