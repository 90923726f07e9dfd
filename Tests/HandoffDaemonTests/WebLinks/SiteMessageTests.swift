// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The command line's requests about sites.
// Shows N12, N15.
@Suite struct SiteMessageTests {
    private let notes = Desk.claimant(
        "notes", "activitycontinuation:example.com", "activitycontinuation:*.shop.example")
    private let listed = "ABCDE12345.com.example.notes"

    private func desk() throws -> Desk {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        return desk
    }

    @Test func sitesAreListedWithWhatTheySaid() throws {
        let desk = try desk()
        let asked = desk.time.wallTime
        #expect(desk.siteList().map(\.standing) == [.notAsked, .notAsked])
        desk.pass()
        let sites = desk.siteList()
        #expect(sites.map(\.host.name) == ["example.com", "shop.example"])
        #expect(sites.map(\.standing) == [.answered, .refused])
        #expect(sites.map(\.reason) == [nil, "it has no such file (404)"])
        #expect(sites.allSatisfy { $0.answered.map { $0 >= asked && $0 <= desk.time.wallTime } ?? false })
        #expect(sites.allSatisfy { $0.apps == [notes.bundle] && !$0.isAtRoot && !$0.isSigned && !$0.mayBePrivate })
    }

    @Test func moreSitesThanAreAskedAreListedAsSuch() throws {
        let apps = (0..<3).map { app in
            Desk.app("app\(app)", domains: (0..<50).map { "activitycontinuation:h\($0).a\(app).example" })
        }
        let desk = try Desk("laptop", apps: apps)
        let sites = desk.siteList()
        #expect(sites.count == 150)
        #expect(sites.count { $0.standing == .surplus } == 150 - WebLinksLimits().sites)
        desk.pass(.seconds(60))
        #expect(Set(desk.sites.asked.map(\.site)).count == WebLinksLimits().sites)
    }

    @Test func aRefreshIsAnsweredWhenEachSiteWasAsked() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        desk.put(Desk.file(listing: listed), on: "shop.example", at: .root)
        desk.sites.latency = .seconds(2)
        let before = desk.sites.asked.count
        let (first, second) = (desk.script(), desk.script())
        let asked = first.request(.webLinks(.refreshSites(nil)))
        desk.pass(.seconds(1))
        // Later requests wait for the same fetches.
        let askedToo = second.request(.webLinks(.refreshSites(nil)))
        desk.pass(.seconds(2))
        // One has answered; the other is asked at its second location.
        #expect(first.answers(to: asked).isEmpty)
        desk.pass(.seconds(2))
        for answer in [first.answers(to: asked), second.answers(to: askedToo)] {
            guard case .webLinks(.siteList(let sites))? = answer.first else { return #expect(Bool(false), "\(answer)") }
            #expect(answer.count == 1)
            #expect(sites.map(\.standing) == [.answered, .answered])
        }
        #expect(desk.sites.asked.count == before + 3)
    }

    @Test func aRefreshOfASiteOutOfReachEndsToo() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        desk.sites.outages[Desk.host("example.com")] = SiteFailure(.unreachable, "nobody answers there")
        let script = desk.script()
        let request = script.request(.webLinks(.refreshSites(Desk.host("example.com"))))
        desk.pass()
        guard case .webLinks(.siteList(let sites))? = script.answers(to: request).first else {
            return #expect(Bool(false), "no list")
        }
        #expect(sites.map(\.standing) == [.kept])
        #expect(sites.first?.reason == "nobody answers there")
        #expect(sites.first?.tried != nil)
    }

    @Test func oneSiteIsAskedAtMostEveryTenSecondsHoweverManyAsk() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        let script = desk.script()
        let before = desk.sites.asked.count
        let requests = (0..<20).map { _ in script.request(.webLinks(.refreshSites(Desk.host("example.com")))) }
        desk.pass()
        let late = script.request(.webLinks(.refreshSites(Desk.host("example.com"))))
        desk.pass()
        #expect(requests.allSatisfy { script.answers(to: $0).count == 1 })
        #expect(desk.sites.asked.count == before + 1)
        #expect(script.answers(to: late).isEmpty)
        desk.pass(.seconds(10))
        #expect(script.answers(to: late).count == 1)
        #expect(desk.sites.asked.count == before + 2)
    }

    @Test func aHostBelowAWildcardIsAskedAtItsDomain() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        let script = desk.script()
        let request = script.request(.webLinks(.refreshSites(Desk.host("www.shop.example"))))
        desk.pass()
        guard case .webLinks(.siteList(let sites))? = script.answers(to: request).first else {
            return #expect(Bool(false), "no list")
        }
        #expect(sites.map(\.host.name) == ["shop.example"])
    }

    @Test func aSiteThatNobodyClaimsIsNotAskedOnAnybodysWord() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        let before = desk.sites.asked.count
        guard
            case .failure(let failure)? = desk.answer(
                desk.script(), .webLinks(.refreshSites(Desk.host("stranger.example"))))
        else { return #expect(Bool(false), "not refused") }
        #expect(failure.code == .notAllowed)
        desk.pass()
        #expect(desk.sites.asked.count == before)
    }

    @Test func refreshIsAnsweredIfTheClaimingAppIsRemoved() throws {
        let desk = try desk()
        desk.pass(.seconds(60))
        desk.sites.latency = .seconds(9)
        let script = desk.script()
        let request = script.request(.webLinks(.refreshSites(nil)))
        desk.settle()
        desk.install()
        desk.settle()
        #expect(script.answers(to: request).count == 1)
        let again = script.request(.webLinks(.refreshSites(nil)))
        desk.settle()
        #expect(script.answers(to: again) == [.webLinks(.siteList([]))])
    }

    @Test func appsAreToldNothing() throws {
        let desk = try desk()
        let app = desk.run(notes)
        for message in [
            LocalMessage.webLinks(.listSites), .webLinks(.refreshSites(nil)),
            .webLinks(.checkWebPage("https://example.com/")),
        ] {
            guard case .failure(let failure)? = desk.answer(app, message) else {
                Issue.record("\(message) is answered")
                continue
            }
            #expect(failure.code == .notAllowed)
        }
    }
}
