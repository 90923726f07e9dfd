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
        var desk = WebDesk()
        #expect(desk.claim(claim) == [.fetch(SiteFetch(id: 1, site: Web.shop, place: .wellKnown))])
        #expect(desk.standing() == .unknown)
        let kept = Web.kept(at: desk.wall)
        #expect(desk.end(1, .success(.file(Web.file))) == [.keep(kept), .report(Web.shop)])
        #expect(desk.standing() == .answered(kept))
    }

    // Shows N07.
    @Test func theRootIsAskedWhereTheWellKnownPlaceHasNothing() {
        var desk = WebDesk()
        _ = desk.claim(claim)
        #expect(desk.end(1, .failure(Web.absent)) == [.fetch(SiteFetch(id: 2, site: Web.shop, place: .root))])
        _ = desk.end(2, .success(.file(Web.file)))
        #expect(desk.standing().file?.place == .root)
    }

    // Shows N07, N08.
    @Test(arguments: SiteFailure.Code.allCases) func onlyAnAnswerOfTheSiteLeadsToTheRoot(_ code: SiteFailure.Code) {
        var desk = WebDesk()
        _ = desk.claim(claim)
        let failure = SiteFailure(code, "so it is")
        let places = desk.end(1, .failure(failure)).fetches.map(\.place)
        #expect(places == (failure.isAnswer ? [.root] : []))
        let answers: Set<SiteFailure.Code> = [.absent, .redirected, .tooLarge, .encoded, .unreadable]
        #expect(failure.isAnswer == answers.contains(code))
    }

    // Shows N12.
    @Test func itIsAskedAgainWithinTheWeekWithItsETag() throws {
        var desk = WebDesk()
        desk.install()
        let week = try desk.nextWake()
        #expect(week.actions == [.fetch(SiteFetch(id: 2, site: Web.shop, place: .wellKnown, etag: "\"1\""))])
        #expect(week.after > .days(6) && week.after <= .days(7))
        let kept = Web.kept(at: desk.wall)
        #expect(desk.end(2, .success(.unchanged)) == [.keep(kept), .report(Web.shop)])
    }

    @Test func anETagIsOfOnePlace() {
        var desk = WebDesk()
        _ = desk.claim(claim)
        _ = desk.end(1, .failure(Web.absent))
        _ = desk.end(2, .success(.file(Web.file)))
        desk.pass(.hours(1))
        #expect(desk.refresh().fetches.map(\.etag) == [nil])
        #expect(desk.end(3, .failure(Web.absent)).fetches.map(\.etag) == ["\"1\""])
    }

    // Shows N12.
    @Test func aNoAtBothPlacesEndsTheClaimAtOnce() throws {
        var desk = WebDesk()
        desk.install()
        _ = desk.wake()
        #expect(desk.end(2, .failure(Web.redirected)).fetches.map(\.place) == [.root])
        #expect(desk.end(3, .failure(Web.absent)) == [.forget(Web.shop), .report(Web.shop)])
        #expect(desk.standing() == .refused(wellKnown: Web.redirected, root: Web.absent, said: desk.wall))
        #expect(desk.standing().file == nil)
        // It may be a mistake, so the site is asked again after a day, not after a week.
        let day = try desk.nextWake()
        #expect(day.after >= .days(1) && day.after <= .days(1) + .hours(6) && day.actions.fetches.count == 1)
        // An unreachable site does not revoke its refusal.
        _ = desk.end(4, .failure(Web.outage))
        guard case .refused = desk.standing() else { return #expect(Bool(false), "\(desk.standing())") }
    }

    // Shows N12.
    @Test func anUnreachableSiteKeepsItsLastAnswerForThirtyDaysAndSaysSo() {
        var desk = WebDesk()
        desk.install()
        let answered = desk.wall
        let kept = Web.kept(at: answered)
        while true {
            guard let next = desk.wake() else { return #expect(Bool(false), "it is never asked again") }
            if next.actions.contains(.forget(Web.shop)) {
                #expect(next.actions.contains(.report(Web.shop)))
                break
            }
            for fetch in next.actions.fetches {
                #expect(desk.end(fetch.id, .failure(Web.outage)) == [.report(Web.shop)])
                #expect(desk.standing() == .kept(kept, Web.outage, tried: desk.wall))
            }
        }
        #expect(answered.duration(to: desk.wall) == .days(30))
        guard case .unreachable(Web.outage, _) = desk.standing() else {
            return #expect(Bool(false), "\(desk.standing())")
        }
    }

    // Shows N12.
    @Test func pausesDoubleWhileItIsOutOfReach() {
        var desk = WebDesk()
        _ = desk.claim(claim)
        var expected = Duration.seconds(60)
        for id in UInt64(1)...14 {
            #expect(desk.end(id, .failure(Web.outage)) == [.report(Web.shop)])
            let pause = desk.wake()?.after ?? .zero
            #expect(pause >= expected && pause <= expected + expected / 4, "\(id)")
            expected = min(expected * 2, .hours(6))
        }
        _ = desk.end(15, .success(.file(Web.file)))
        _ = desk.wake()
        _ = desk.end(16, .failure(Web.outage))
        let pause = desk.wake()?.after ?? .zero
        #expect(pause <= .seconds(75), "an answer did not end the row of failures")
    }

    // Shows N12.
    @Test func manualRefreshFetchesAtOnce() {
        var desk = WebDesk()
        desk.install()
        _ = desk.claim(claim, SiteClaim(Web.forum, by: Web.notes))
        _ = desk.end(2, .success(.file(Web.file)))
        desk.pass(.hours(1))
        #expect(desk.refresh(Web.forum.host).fetches.map(\.site) == [Web.forum])
        // The site that is being asked is not asked twice.
        #expect(desk.refresh().fetches.map(\.site) == [Web.shop])
        #expect(desk.refresh(Web.host("stranger.example.net")) == [])
    }

    @Test func wantingToKnowAllTheTimeMakesNoFlood() {
        var desk = WebDesk()
        desk.install()
        var count = 0
        for _ in 0..<100 {
            desk.pass(.seconds(1))
            for fetch in desk.refresh().fetches {
                count += 1
                _ = desk.end(fetch.id, .success(.unchanged))
            }
        }
        #expect(count == 10)
        #expect(WebLinksLimits().gap == .seconds(10))
    }

    // Shows N12.
    @Test func anotherAppIsAReasonToAsk() {
        var desk = WebDesk()
        desk.install()
        desk.pass(.hours(1))
        #expect(desk.claim(claim) == [])
        #expect(desk.claim(claim, SiteClaim(Web.shop, by: Web.mail)).fetches.map(\.site) == [Web.shop])
        _ = desk.end(2, .success(.unchanged))
        #expect(desk.standing().file?.claimants == [Web.mail, Web.notes])
        // A removed app is not a reason.
        desk.pass(.hours(1))
        #expect(desk.claim(SiteClaim(Web.shop, by: Web.mail)) == [])
    }

    @Test func unclaimedSiteIsForgotten() {
        var desk = WebDesk()
        desk.install()
        #expect(desk.claim() == [.forget(Web.shop)])
        #expect(desk.standing() == .unclaimed)
        #expect(desk.machine.nextDeadline == nil)
        #expect(desk.refresh() == [])
    }

    @Test func unexpectedAnswerIsIgnored() {
        var desk = WebDesk()
        _ = desk.claim(claim)
        _ = desk.claim()
        #expect(desk.end(1, .success(.file(Web.file))) == [])
        // Nor does an old answer belong to the next request.
        _ = desk.claim(claim)
        #expect(desk.end(1, .success(.file(Web.file))) == [])
        #expect(desk.standing() == .unknown)
        #expect(desk.end(2, .success(.file(Web.file))).count == 2)
    }

    @Test func aSiteThatClaimsNoChangeOfNothingIsNotBelieved() {
        var desk = WebDesk()
        _ = desk.claim(claim)
        _ = desk.end(1, .success(.unchanged))
        guard case .unreachable(SiteFailure(.malformed, ""), _) = desk.standing() else {
            return #expect(Bool(false), "\(desk.standing())")
        }
    }

    @Test func onePrivateNetworkSpeaksForDevelopersAlone() {
        var desk = WebDesk()
        let shopHere = Site(Web.shop.host, reach: .anywhere)
        let fetches = desk.claim(claim, SiteClaim(shopHere, by: Web.mail)).fetches
        #expect(fetches.map(\.site) == [shopHere, Web.shop].sorted())
        for fetch in fetches where fetch.site == shopHere { _ = desk.end(fetch.id, .success(.file(Web.file))) }
        #expect(desk.standing(shopHere).file != nil)
        #expect(desk.standing(Web.shop) == .unknown)
    }
}
