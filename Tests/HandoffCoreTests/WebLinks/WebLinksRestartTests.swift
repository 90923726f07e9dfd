// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

/// What a new start makes of what was kept, and clocks that jump.
@Suite struct WebLinksRestartTests {
    private let claim = SiteClaim(Web.shop, by: Web.notes)
    private let today = WallTime(milliseconds: 1_800_000_000_000)

    // Shows N12.
    @Test func whatWasKeptCountsAndIsNotAskedForAtOnce() throws {
        let kept = Web.kept(at: today.advanced(by: .days(-3)))
        var desk = WebDesk(kept: [7: kept])
        #expect(desk.claim(claim) == [.report(Web.shop)])
        #expect(desk.standing() == .answered(kept))
        let next = try desk.nextWake()
        #expect(next.after > .days(3) - .hours(1) && next.after <= .days(4))
        #expect(next.actions.fetches.map(\.etag) == ["\"1\""])
        // In the slot where it was.
        #expect(desk.end(1, .success(.unchanged)).contains(.keep(Web.kept(at: desk.wall), slot: 7)))
    }

    @Test func anAppThatIsNewSinceThenIsAReasonToAsk() {
        var desk = WebDesk(kept: [0: Web.kept(at: today, by: [Web.mail])])
        #expect(desk.claim(claim).fetches.map(\.site) == [Web.shop])
        #expect(desk.standing().file != nil)
    }

    // Shows N12.
    @Test func whatIsTooOldOrOfNobodyIsForgotten() {
        let old = Web.kept(at: today.advanced(by: .days(-30)))
        var desk = WebDesk(kept: [0: old, 3: Web.kept(Web.forum, at: today)])
        let actions = desk.claim(claim)
        #expect(
            actions == [
                .forget(slot: 0), .forget(slot: 3), .fetch(SiteFetch(id: 1, site: Web.shop, place: .wellKnown)),
            ])
        #expect(desk.standing() == .unknown)
    }

    @Test func ofTwoThatWereKeptTheNewerCounts() {
        let newer = Web.kept(at: today.advanced(by: .hours(-1)))
        let older = Web.kept(at: today.advanced(by: .hours(-2)))
        for kept in [[0: newer, 1: older], [0: older, 1: newer]] {
            var desk = WebDesk(kept: kept)
            let forgotten = kept[0] == newer ? 1 : 0
            #expect(desk.claim(claim) == [.report(Web.shop), .forget(slot: forgotten)])
            #expect(desk.standing() == .answered(newer))
        }
    }

    @Test func aClockSetBackKeepsNobodyWaiting() throws {
        var desk = WebDesk(kept: [0: Web.kept(at: today.advanced(by: .days(400)))])
        _ = desk.claim(claim)
        #expect(try desk.nextWake().after <= .days(7))
        _ = desk.end(1, .success(.unchanged))
        desk.wall = desk.wall.advanced(by: .days(-1000))
        _ = desk.look()
        #expect(try desk.nextWake().after <= .days(7))
        // Nor does an answer from the future count for longer than thirty days.
        let kept = desk.standing().file
        #expect(kept?.answered ?? today < today)
    }

    @Test func aClockSetForwardMakesTheAnswerOld() {
        var desk = WebDesk()
        desk.install()
        desk.wall = desk.wall.advanced(by: .days(31))
        #expect(desk.standing().file == nil)
        #expect(desk.look().fetches.count == 1)
    }
}
