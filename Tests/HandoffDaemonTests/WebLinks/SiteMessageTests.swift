// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The command line's requests about sites.
// Shows N15.
@Suite struct SiteMessageTests {
    private let notes = DeviceFixture.claimant(
        "notes", "activitycontinuation:example.com", "activitycontinuation:*.shop.example")
    private let listed = "ABCDE12345.com.example.notes"

    private func fixture() throws -> DeviceFixture {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        return fixture
    }

    @Test func sitesAreListedWithWhatTheySaid() throws {
        let fixture = try fixture()
        let asked = fixture.time.wallTime
        #expect(fixture.siteList().map(\.standing) == [.notAsked, .notAsked])
        fixture.pass()
        let sites = fixture.siteList()
        #expect(sites.map(\.host.name) == ["example.com", "shop.example"])
        #expect(sites.map(\.standing) == [.answered, .refused])
        #expect(sites.map(\.reason) == [nil, "it has no such file (404)"])
        #expect(sites.allSatisfy { $0.answered.map { $0 >= asked && $0 <= fixture.time.wallTime } ?? false })
        #expect(sites.allSatisfy { $0.apps == [notes.bundle] && !$0.isAtRoot && !$0.isSigned && !$0.mayBePrivate })
    }

    @Test func moreSitesThanAreAskedAreListedAsSuch() throws {
        let apps = (0..<3).map { app in
            DeviceFixture.app("app\(app)", domains: (0..<50).map { "activitycontinuation:h\($0).a\(app).example" })
        }
        let fixture = try DeviceFixture("laptop", apps: apps)
        let sites = fixture.siteList()
        #expect(sites.count == 150)
        #expect(sites.count { $0.standing == .surplus } == 150 - WebLinksLimits().sites)
        fixture.pass(.seconds(60))
        #expect(Set(fixture.sites.asked.map(\.site)).count == WebLinksLimits().sites)
    }

    // Shows N12.
    @Test func aRefreshIsAnsweredWhenEachSiteWasAsked() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        fixture.put(DeviceFixture.file(listing: listed), on: "shop.example", at: .root)
        fixture.sites.latency = .seconds(2)
        let before = fixture.sites.asked.count
        let (first, second) = (fixture.script(), fixture.script())
        let asked = first.request(.webLinks(.refreshSites(nil)))
        fixture.pass(.seconds(1))
        // Later requests wait for the same fetches.
        let askedToo = second.request(.webLinks(.refreshSites(nil)))
        fixture.pass(.seconds(2))
        // One has answered; the other is asked at its second location.
        #expect(first.answers(to: asked).isEmpty)
        fixture.pass(.seconds(2))
        for answer in [first.answers(to: asked), second.answers(to: askedToo)] {
            guard case .webLinks(.siteList(let sites))? = answer.first else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.count == 1)
            #expect(sites.map(\.standing) == [.answered, .answered])
        }
        #expect(fixture.sites.asked.count == before + 3)
    }

    @Test func aRefreshOfASiteOutOfReachEndsToo() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        fixture.sites.outages[DeviceFixture.host("example.com")] = SiteFailure(.unreachable, "nobody answers there")
        let script = fixture.script()
        let request = script.request(.webLinks(.refreshSites(DeviceFixture.host("example.com"))))
        fixture.pass()
        guard case .webLinks(.siteList(let sites))? = script.answers(to: request).first else {
            return #expect(Bool(false), "no list")
        }
        #expect(sites.map(\.standing) == [.kept])
        #expect(sites.first?.reason == "nobody answers there")
        #expect(sites.first?.tried != nil)
    }

    // Shows N12.
    @Test func oneSiteIsAskedAtMostEveryTenSecondsHoweverManyAsk() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        let script = fixture.script()
        let before = fixture.sites.asked.count
        let requests = (0..<20).map { _ in script.request(.webLinks(.refreshSites(DeviceFixture.host("example.com")))) }
        fixture.pass()
        let late = script.request(.webLinks(.refreshSites(DeviceFixture.host("example.com"))))
        fixture.pass()
        #expect(requests.allSatisfy { script.answers(to: $0).count == 1 })
        #expect(fixture.sites.asked.count == before + 1)
        #expect(script.answers(to: late).isEmpty)
        fixture.pass(.seconds(10))
        #expect(script.answers(to: late).count == 1)
        #expect(fixture.sites.asked.count == before + 2)
    }

    @Test func aHostBelowAWildcardIsAskedAtItsDomain() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        let script = fixture.script()
        let request = script.request(.webLinks(.refreshSites(DeviceFixture.host("www.shop.example"))))
        fixture.pass()
        guard case .webLinks(.siteList(let sites))? = script.answers(to: request).first else {
            return #expect(Bool(false), "no list")
        }
        #expect(sites.map(\.host.name) == ["shop.example"])
    }

    @Test func anUnclaimedSiteIsNotQueriedOnRequest() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        let before = fixture.sites.asked.count
        guard
            case .failure(let failure)? = fixture.answer(
                fixture.script(), .webLinks(.refreshSites(DeviceFixture.host("stranger.example"))))
        else { return #expect(Bool(false), "not refused") }
        #expect(failure.code == .notAllowed)
        fixture.pass()
        #expect(fixture.sites.asked.count == before)
    }

    @Test func refreshIsAnsweredIfTheClaimingAppIsRemoved() throws {
        let fixture = try fixture()
        fixture.pass(.seconds(60))
        fixture.sites.latency = .seconds(9)
        let script = fixture.script()
        let request = script.request(.webLinks(.refreshSites(nil)))
        fixture.settle()
        fixture.install()
        fixture.settle()
        #expect(script.answers(to: request).count == 1)
        let again = script.request(.webLinks(.refreshSites(nil)))
        fixture.settle()
        #expect(script.answers(to: again) == [.webLinks(.siteList([]))])
    }

    @Test func appsAreToldNothing() throws {
        let fixture = try fixture()
        let app = fixture.run(notes)
        for message in [
            LocalMessage.webLinks(.listSites), .webLinks(.refreshSites(nil)),
            .webLinks(.checkWebPage("https://example.com/")),
        ] {
            guard case .failure(let failure)? = fixture.answer(app, message) else {
                Issue.record("\(message) is answered")
                continue
            }
            #expect(failure.code == .notAllowed)
        }
    }
}
