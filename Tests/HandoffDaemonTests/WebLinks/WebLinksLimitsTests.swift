// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct WebLinksLimitsTests {
    private func claims(_ count: Int) -> [SiteClaim] {
        (0..<count).map { SiteClaim(Site(Web.host("site\(1000 + $0).example.com")), by: Web.notes) }
    }

    @Test func noMoreSitesAreAskedThanThereMayBe() {
        var limits = WebLinksLimits()
        #expect(limits.sites == 128)
        limits.sites = 3
        limits.fetchesAtOnce = 9
        var fixture = WebLinksFixture(limits: limits)
        let claims = claims(5)
        #expect(fixture.claim(claims).fetches.count == 3)
        #expect(fixture.standing(claims[4].site) == .surplus)
        // Present sites stay; a removed one makes room.
        #expect(fixture.claim(Array(claims.dropFirst())).fetches.map(\.site) == [claims[3].site])
        #expect(fixture.standing(claims[4].site) == .surplus)
        #expect(fixture.standing(claims[2].site) == .unknown)
    }

    @Test func noMoreQuestionsAreUnderWayThanThereMayBe() {
        #expect(WebLinksLimits().fetchesAtOnce == 4)
        var fixture = WebLinksFixture()
        let claims = claims(6)
        #expect(fixture.claim(claims).fetches.map(\.id) == [1, 2, 3, 4])
        // While there is no room, only stored answers have deadlines.
        #expect(fixture.machine.nextDeadline == nil)
        #expect(fixture.end(2, .success(.file(Web.file))).fetches.map(\.id) == [5])
        // The request to a removed site is still under way.
        #expect(fixture.claim(Array(claims.dropFirst())).fetches.isEmpty)
        #expect(fixture.end(1, .failure(Web.outage)).fetches.map(\.id) == [6])
    }

    @Test func fewAppsAreKeptWithASite() throws {
        let apps = try (0..<70).map { try BundleID("com.example.app\($0)") }
        let kept = Web.kept(at: WallTime(milliseconds: 0), by: apps + apps)
        #expect(kept.claimants == Array(apps.sorted().prefix(64)))
        #expect(SiteLimits.claimants == 64)
    }

    @Test func daysAreWhatTheyAreCalled() {
        let limits = WebLinksLimits()
        #expect(limits.interval == .days(7) && limits.keeping == .days(30) && limits.pauseAfterNo == .days(1))
        #expect(limits.intervalJitter == .days(1) && limits.firstPause == .seconds(60))
        #expect(limits.longestPause == .hours(6))
        #expect(SiteLimits.time == .seconds(10) && Limits.associationBytes == 131_072)
    }
}
