// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// When sites are asked, and which answers are valid.
@Suite struct WebLinksStateMachineTests {
    private let claim = SiteClaim(Web.shop, by: Web.notes)

    // Shows N07.
    @Test func aNewAppsSiteIsAskedAtTheWellKnownPlace() {
        var fixture = WebLinksFixture()
        #expect(fixture.claim(claim) == [.fetch(SiteFetch(id: 1, site: Web.shop, place: .wellKnown))])
        #expect(fixture.standing() == .unknown)
        let kept = Web.kept(at: fixture.wall)
        #expect(fixture.end(1, .success(.file(Web.file))) == [.keep(kept), .report(Web.shop)])
        #expect(fixture.standing() == .answered(kept))
    }

    // Shows N07.
    @Test func theRootIsAskedWhereTheWellKnownPlaceHasNothing() {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        #expect(fixture.end(1, .failure(Web.absent)) == [.fetch(SiteFetch(id: 2, site: Web.shop, place: .root))])
        _ = fixture.end(2, .success(.file(Web.file)))
        #expect(fixture.standing().file?.place == .root)
    }

    // Shows N07, N08.
    @Test(arguments: SiteFailure.Code.allCases) func onlyAnAnswerOfTheSiteLeadsToTheRoot(_ code: SiteFailure.Code) {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        let failure = SiteFailure(code, "so it is")
        let places = fixture.end(1, .failure(failure)).fetches.map(\.place)
        #expect(places == (failure.isAnswer ? [.root] : []))
        let answers: Set<SiteFailure.Code> = [.absent, .redirected, .tooLarge, .encoded, .unreadable]
        #expect(failure.isAnswer == answers.contains(code))
    }

    // Shows N12.
    @Test func itIsAskedAgainWithinTheWeekWithItsETag() throws {
        var fixture = WebLinksFixture()
        fixture.install()
        let week = try fixture.nextWake()
        #expect(week.actions == [.fetch(SiteFetch(id: 2, site: Web.shop, place: .wellKnown, etag: "\"1\""))])
        #expect(week.after > .days(6) && week.after <= .days(7))
        let kept = Web.kept(at: fixture.wall)
        #expect(fixture.end(2, .success(.unchanged)) == [.keep(kept), .report(Web.shop)])
    }

    @Test func anETagIsOfOnePlace() {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        _ = fixture.end(1, .failure(Web.absent))
        _ = fixture.end(2, .success(.file(Web.file)))
        fixture.pass(.hours(1))
        #expect(fixture.refresh().fetches.map(\.etag) == [nil])
        #expect(fixture.end(3, .failure(Web.absent)).fetches.map(\.etag) == ["\"1\""])
    }

    // Shows N12.
    @Test func aNoAtBothPlacesEndsTheClaimAtOnce() throws {
        var fixture = WebLinksFixture()
        fixture.install()
        _ = fixture.wake()
        #expect(fixture.end(2, .failure(Web.redirected)).fetches.map(\.place) == [.root])
        #expect(fixture.end(3, .failure(Web.absent)) == [.forget(Web.shop), .report(Web.shop)])
        #expect(fixture.standing() == .refused(wellKnown: Web.redirected, root: Web.absent, said: fixture.wall))
        #expect(fixture.standing().file == nil)
        // It may be a mistake, so the site is asked again after a day, not after a week.
        let day = try fixture.nextWake()
        #expect(day.after >= .days(1) && day.after <= .days(1) + .hours(6) && day.actions.fetches.count == 1)
        // An unreachable site does not revoke its refusal.
        _ = fixture.end(4, .failure(Web.outage))
        guard case .refused = fixture.standing() else { return #expect(Bool(false), "\(fixture.standing())") }
    }

    // Shows N12.
    @Test func anUnreachableSiteKeepsItsAnswerForThirtyDaysAndIsReported() {
        var fixture = WebLinksFixture()
        fixture.install()
        let answered = fixture.wall
        let kept = Web.kept(at: answered)
        while true {
            guard let next = fixture.wake() else { return #expect(Bool(false), "it is never asked again") }
            if next.actions.contains(.forget(Web.shop)) {
                #expect(next.actions.contains(.report(Web.shop)))
                break
            }
            for fetch in next.actions.fetches {
                #expect(fixture.end(fetch.id, .failure(Web.outage)) == [.report(Web.shop)])
                #expect(fixture.standing() == .kept(kept, Web.outage, tried: fixture.wall))
            }
        }
        #expect(answered.duration(to: fixture.wall) == .days(30))
        guard case .unreachable(Web.outage, _) = fixture.standing() else {
            return #expect(Bool(false), "\(fixture.standing())")
        }
    }

    // Shows N12.
    @Test func pausesDoubleWhileItIsOutOfReach() {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        var expected = Duration.seconds(60)
        for id in UInt64(1)...14 {
            #expect(fixture.end(id, .failure(Web.outage)) == [.report(Web.shop)])
            let pause = fixture.wake()?.after ?? .zero
            #expect(pause >= expected && pause <= expected + expected / 4, "\(id)")
            expected = min(expected * 2, .hours(6))
        }
        _ = fixture.end(15, .success(.file(Web.file)))
        _ = fixture.wake()
        _ = fixture.end(16, .failure(Web.outage))
        let pause = fixture.wake()?.after ?? .zero
        #expect(pause <= .seconds(75), "an answer did not end the row of failures")
    }

    // Shows N12.
    @Test func manualRefreshFetchesAtOnce() {
        var fixture = WebLinksFixture()
        fixture.install()
        _ = fixture.claim(claim, SiteClaim(Web.forum, by: Web.notes))
        _ = fixture.end(2, .success(.file(Web.file)))
        fixture.pass(.hours(1))
        #expect(fixture.refresh(Web.forum.host).fetches.map(\.site) == [Web.forum])
        // The site that is being asked is not asked twice.
        #expect(fixture.refresh().fetches.map(\.site) == [Web.shop])
        #expect(fixture.refresh(Web.host("stranger.example.net")) == [])
    }

    @Test func wantingToKnowAllTheTimeMakesNoFlood() {
        var fixture = WebLinksFixture()
        fixture.install()
        var count = 0
        for _ in 0..<100 {
            fixture.pass(.seconds(1))
            for fetch in fixture.refresh().fetches {
                count += 1
                _ = fixture.end(fetch.id, .success(.unchanged))
            }
        }
        #expect(count == 10)
        #expect(WebLinksLimits().gap == .seconds(10))
    }

    // Shows N12.
    @Test func anotherAppIsAReasonToAsk() {
        var fixture = WebLinksFixture()
        fixture.install()
        fixture.pass(.hours(1))
        #expect(fixture.claim(claim) == [])
        #expect(fixture.claim(claim, SiteClaim(Web.shop, by: Web.mail)).fetches.map(\.site) == [Web.shop])
        _ = fixture.end(2, .success(.unchanged))
        #expect(fixture.standing().file?.claimants == [Web.mail, Web.notes])
        // A removed app is not a reason.
        fixture.pass(.hours(1))
        #expect(fixture.claim(SiteClaim(Web.shop, by: Web.mail)) == [])
    }

    @Test func unclaimedSiteIsForgotten() {
        var fixture = WebLinksFixture()
        fixture.install()
        #expect(fixture.claim() == [.forget(Web.shop)])
        #expect(fixture.standing() == .unclaimed)
        #expect(fixture.machine.nextDeadline == nil)
        #expect(fixture.refresh() == [])
    }

    @Test func unexpectedAnswerIsIgnored() {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        _ = fixture.claim()
        #expect(fixture.end(1, .success(.file(Web.file))) == [])
        // Nor does an old answer belong to the next request.
        _ = fixture.claim(claim)
        #expect(fixture.end(1, .success(.file(Web.file))) == [])
        #expect(fixture.standing() == .unknown)
        #expect(fixture.end(2, .success(.file(Web.file))).count == 2)
    }

    @Test func aSiteThatClaimsNoChangeOfNothingIsNotBelieved() {
        var fixture = WebLinksFixture()
        _ = fixture.claim(claim)
        _ = fixture.end(1, .success(.unchanged))
        guard case .unreachable(SiteFailure(.malformed, ""), _) = fixture.standing() else {
            return #expect(Bool(false), "\(fixture.standing())")
        }
    }

    @Test func onePrivateNetworkSpeaksForDevelopersAlone() {
        var fixture = WebLinksFixture()
        let shopHere = Site(Web.shop.host, reach: .anywhere)
        let fetches = fixture.claim(claim, SiteClaim(shopHere, by: Web.mail)).fetches
        #expect(fetches.map(\.site) == [shopHere, Web.shop].sorted())
        for fetch in fetches where fetch.site == shopHere { _ = fixture.end(fetch.id, .success(.file(Web.file))) }
        #expect(fixture.standing(shopHere).file != nil)
        #expect(fixture.standing(Web.shop) == .unknown)
    }
}
