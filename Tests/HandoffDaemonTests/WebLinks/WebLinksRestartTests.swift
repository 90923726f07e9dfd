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
        var fixture = WebLinksFixture(kept: [kept])
        #expect(fixture.claim(claim) == [.report(Web.shop)])
        #expect(fixture.standing() == .answered(kept))
        let next = try fixture.nextWake()
        #expect(next.after > .days(3) - .hours(1) && next.after <= .days(4))
        #expect(next.actions.fetches.map(\.etag) == ["\"1\""])
        #expect(fixture.end(1, .success(.unchanged)).contains(.keep(Web.kept(at: fixture.wall))))
    }

    @Test func anAppThatIsNewSinceThenIsAReasonToAsk() {
        var fixture = WebLinksFixture(kept: [Web.kept(at: today, by: [Web.mail])])
        #expect(fixture.claim(claim).fetches.map(\.site) == [Web.shop])
        #expect(fixture.standing().file != nil)
    }

    // Shows N12.
    @Test func outdatedOrUnclaimedAnswerIsForgotten() {
        let old = Web.kept(at: today.advanced(by: .days(-30)))
        var fixture = WebLinksFixture(kept: [old, Web.kept(Web.forum, at: today)])
        let actions = fixture.claim(claim)
        #expect(
            actions == [
                .forget(Web.shop), .forget(Web.forum), .fetch(SiteFetch(id: 1, site: Web.shop, place: .wellKnown)),
            ])
        #expect(fixture.standing() == .unknown)
    }

    @Test func newerOfTwoStoredAnswersApplies() {
        let newer = Web.kept(at: today.advanced(by: .hours(-1)))
        let older = Web.kept(at: today.advanced(by: .hours(-2)))
        for kept in [[newer, older], [older, newer]] {
            var fixture = WebLinksFixture(kept: kept)
            #expect(fixture.claim(claim) == [.report(Web.shop)])
            #expect(fixture.standing() == .answered(newer))
        }
    }

    @Test func newestStoredAnswersWithinLimitApply() {
        var limits = WebLinksLimits()
        limits.sites = 1
        let older = Web.kept(Web.forum, at: today.advanced(by: .hours(-2)))
        let newer = Web.kept(at: today.advanced(by: .hours(-1)))
        var fixture = WebLinksFixture(kept: [older, newer], limits: limits)
        let actions = fixture.claim([claim, SiteClaim(Web.forum, by: Web.notes)])
        #expect(actions == [.report(Web.shop), .forget(Web.forum)])
        #expect(fixture.standing(Web.forum) == .surplus)
    }

    @Test func aClockSetBackDelaysNoQuery() throws {
        var fixture = WebLinksFixture(kept: [Web.kept(at: today.advanced(by: .days(400)))])
        _ = fixture.claim(claim)
        #expect(try fixture.nextWake().after <= .days(7))
        _ = fixture.end(1, .success(.unchanged))
        fixture.wall = fixture.wall.advanced(by: .days(-1000))
        _ = fixture.look()
        #expect(try fixture.nextWake().after <= .days(7))
        // Nor is an answer from the future valid for longer than thirty days.
        let kept = fixture.standing().file
        #expect(kept?.answered ?? today < today)
    }

    @Test func aClockSetForwardMakesTheAnswerOld() {
        var fixture = WebLinksFixture()
        fixture.install()
        fixture.wall = fixture.wall.advanced(by: .days(31))
        #expect(fixture.standing().file == nil)
        #expect(fixture.look().fetches.count == 1)
    }
}
