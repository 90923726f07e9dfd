// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Stored answers after a restart, and clocks that jump.
@Suite struct WebLinksRestartTests {
    private let claim = SiteClaim(Web.shop, by: Web.notes)
    private let today = WallTime(milliseconds: 1_800_000_000_000)

    // Shows N12.
    @Test func storedAnswerAppliesWithoutImmediateFetch() throws {
        let kept = Web.kept(at: today.advanced(by: .days(-3)))
        var desk = WebDesk(kept: [kept])
        #expect(desk.claim(claim) == [.report(Web.shop)])
        #expect(desk.standing() == .answered(kept))
        let next = try desk.nextWake()
        #expect(next.after > .days(3) - .hours(1) && next.after <= .days(4))
        #expect(next.actions.fetches.map(\.etag) == ["\"1\""])
        #expect(desk.end(1, .success(.unchanged)).contains(.keep(Web.kept(at: desk.wall))))
    }

    @Test func anAppThatIsNewSinceThenIsAReasonToAsk() {
        var desk = WebDesk(kept: [Web.kept(at: today, by: [Web.mail])])
        #expect(desk.claim(claim).fetches.map(\.site) == [Web.shop])
        #expect(desk.standing().file != nil)
    }

    // Shows N12.
    @Test func outdatedOrUnclaimedAnswerIsForgotten() {
        let old = Web.kept(at: today.advanced(by: .days(-30)))
        var desk = WebDesk(kept: [old, Web.kept(Web.forum, at: today)])
        let actions = desk.claim(claim)
        #expect(
            actions == [
                .forget(Web.shop), .forget(Web.forum), .fetch(SiteFetch(id: 1, site: Web.shop, place: .wellKnown)),
            ])
        #expect(desk.standing() == .unknown)
    }

    @Test func newerOfTwoStoredAnswersApplies() {
        let newer = Web.kept(at: today.advanced(by: .hours(-1)))
        let older = Web.kept(at: today.advanced(by: .hours(-2)))
        for kept in [[newer, older], [older, newer]] {
            var desk = WebDesk(kept: kept)
            #expect(desk.claim(claim) == [.report(Web.shop)])
            #expect(desk.standing() == .answered(newer))
        }
    }

    @Test func newestStoredAnswersWithinLimitApply() {
        var limits = WebLinksLimits()
        limits.sites = 1
        let older = Web.kept(Web.forum, at: today.advanced(by: .hours(-2)))
        let newer = Web.kept(at: today.advanced(by: .hours(-1)))
        var desk = WebDesk(kept: [older, newer], limits: limits)
        let actions = desk.claim([claim, SiteClaim(Web.forum, by: Web.notes)])
        #expect(actions == [.report(Web.shop), .forget(Web.forum)])
        #expect(desk.standing(Web.forum) == .surplus)
    }

    @Test func aClockSetBackKeepsNobodyWaiting() throws {
        var desk = WebDesk(kept: [Web.kept(at: today.advanced(by: .days(400)))])
        _ = desk.claim(claim)
        #expect(try desk.nextWake().after <= .days(7))
        _ = desk.end(1, .success(.unchanged))
        desk.wall = desk.wall.advanced(by: .days(-1000))
        _ = desk.look()
        #expect(try desk.nextWake().after <= .days(7))
        // Nor is an answer from the future valid for longer than thirty days.
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
