// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

/// Which apps may have the pages of which sites, on in-memory adapters.
// Shows N05, N06, N07, N09, N11, N12, X10.
@Suite struct WebLinksServiceTests {
    private let notes = Desk.claimant("notes", "activitycontinuation:example.com")
    private let listed = "ABCDE12345.com.example.notes"

    @Test func anAppIsApprovedWhereItClaimsTheSiteAndTheSiteListsIt() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        var changes = 0
        desk.webLinks.onChange { _ in changes += 1 }
        #expect(desk.approved("example.com") == [])
        desk.pass()
        #expect(desk.approved("example.com") == ["com.example.notes"])
        #expect(changes == 1)
        #expect(desk.approved("www.example.com") == [])
        #expect(desk.sites.asked.map(\.site) == [Site(Desk.host("example.com"))])
    }

    @Test func oneSideAloneApprovesNobody() throws {
        // The site lists an app that does not claim it, and does not list the claimant.
        let desk = try Desk("laptop", apps: [notes, Desk.claimant("photos", "activitycontinuation:other.example")])
        desk.put(Desk.file(listing: "ABCDE12345.com.example.photos"), on: "example.com")
        desk.pass()
        #expect(desk.approved("example.com") == [])
        #expect(desk.approved("other.example") == [])
    }

    @Test func anAppOfAnotherTeamInTheFileIsAnotherApp() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: "STRANGER99.com.example.notes"), on: "example.com")
        desk.pass()
        #expect(desk.approved("example.com") == [])
    }

    @Test func onlySitesThatASignedAppOfATrustedTeamClaimsForHandoffAreAsked() throws {
        let desk = try Desk("laptop")
        desk.teams.distrust(.made("STRANGER99"))
        desk.install(
            Desk.claimant("stranger", "activitycontinuation:a.example", team: "STRANGER99"),
            Desk.app("tryout", team: nil, domains: ["activitycontinuation:b.example"]),
            Desk.claimant(
                "links", "applinks:c.example", "webcredentials:c.example", "activitycontinuation:d.example:8443",
                "activitycontinuation:e.example?mode=developer", "activitycontinuation:f.example?mode=managed"))
        desk.pass(.seconds(3600))
        #expect(desk.sites.asked.isEmpty)
        desk.teams.trust(.made("STRANGER99"))
        desk.pass()
        #expect(desk.sites.asked.map(\.site.host.name) == ["a.example", "a.example"])
    }

    @Test func aTeamThatIsNotTrustedAnyMoreIsNotApprovedAnyMore() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        var heard: [[String]] = []
        desk.webLinks.onChange { _ in heard.append(desk.approved("example.com")) }
        desk.teams.distrust(.made("ABCDE12345"))
        #expect(heard.last == [])
        #expect(desk.approved("example.com") == [])
        // Nor is the answer of an unclaimed site kept.
        #expect(desk.store.files.keys.filter { $0.hasPrefix("site-") }.isEmpty)
        desk.pass(.seconds(14 * 86400))
        #expect(desk.sites.asked.count == 1)
    }

    @Test func aWildcardAsksItsDomainAndSpeaksForWhatIsBelow() throws {
        let desk = try Desk("laptop", apps: [Desk.claimant("notes", "activitycontinuation:*.example.com")])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        #expect(desk.sites.asked.map(\.site.host.name) == ["example.com"])
        #expect(desk.approved("www.example.com") == ["com.example.notes"])
        #expect(desk.approved("a.b.example.com") == ["com.example.notes"])
        #expect(desk.approved("example.com") == [])
    }

    @Test func twoAppsOfOneHostAreBothApproved() throws {
        let desk = try Desk("laptop", apps: [notes, Desk.claimant("album", "activitycontinuation:example.com")])
        desk.put(Desk.file(listing: listed, "ABCDE12345.com.example.album"), on: "example.com")
        desk.pass()
        #expect(desk.approved("example.com") == ["com.example.album", "com.example.notes"])
        #expect(desk.sites.asked.count == 1)
    }

    @Test func newAppUsesTheKnownFileWhileTheSiteIsFetchedAgain() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed, "ABCDE12345.com.example.album"), on: "example.com")
        desk.pass(.seconds(60))
        desk.install(notes, Desk.claimant("album", "activitycontinuation:example.com"))
        #expect(desk.approved("example.com") == ["com.example.album", "com.example.notes"])
        desk.pass()
        #expect(desk.sites.asked.map(\.etag) == [nil, "\"1\""])
    }

    @Test(arguments: [
        "<!DOCTYPE html><title>Not found</title>", "", "{", #"{"activitycontinuation":1,"activitycontinuation":2}"#,
        "[]",
    ])
    func aFileThatCannotBeReadIsTheSitesNo(text: String) throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(text, contentType: "application/json"), on: "example.com")
        desk.pass()
        #expect(desk.sites.asked.map(\.place) == [.wellKnown, .root])
        #expect(desk.approved("example.com") == [])
        let site = try #require(desk.siteList().first)
        #expect(site.standing == .refused)
        #expect(site.reason?.hasPrefix("at the well-known path: ") == true)
        #expect(site.reason?.hasSuffix("; at the root: it has no such file (404)") == true)
        #expect(desk.store.files["site-example.com"] == nil)
        // The root may have a valid file.
        desk.put(Desk.file(listing: listed), on: "example.com", at: .root)
        desk.pass(.seconds(2 * 86400))
        #expect(desk.approved("example.com") == ["com.example.notes"])
        #expect(desk.siteList().first?.isAtRoot == true)
    }

    @Test func aSitesNoEndsTheApprovalAtOnce() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        #expect(desk.store.files["site-example.com"] != nil)
        desk.sites.pages = [:]
        var heard: [[String]] = []
        desk.webLinks.onChange { _ in heard.append(desk.approved("example.com")) }
        desk.pass(.seconds(8 * 86400))
        #expect(heard == [[]])
        #expect(desk.store.files["site-example.com"] == nil)
    }

    @Test func anOutageKeepsTheApprovalForThirtyDays() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        desk.sites.outages[Desk.host("example.com")] = SiteFailure(.timedOut, "it did not answer in time")
        desk.pass(.seconds(29 * 86400))
        #expect(desk.approved("example.com") == ["com.example.notes"])
        #expect(desk.siteList().first?.standing == .kept)
        #expect(desk.siteList().first?.reason == "it did not answer in time")
        desk.pass(.seconds(2 * 86400))
        #expect(desk.approved("example.com") == [])
        #expect(desk.siteList().first?.standing == .unreachable)
    }

    // MARK: Restarts

    private func restarted(_ desk: Desk, _ sites: MemorySites) throws -> WebLinksService {
        let service = WebLinksService(
            apps: desk.apps, sites: sites, store: desk.store, time: desk.time, random: .seeded(2),
            policy: desk.policy, isForDevelopment: false, roots: { [] },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try service.start()
        return service
    }

    @Test func siteApprovalSurvivesARestartWithoutAFetch() throws {
        let desk = try Desk("laptop", apps: [notes])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        let sites = MemorySites(time: desk.time)
        let service = try restarted(desk, sites)
        #expect(service.approvedApps(for: Desk.host("example.com")).map(\.name) == ["com.example.notes"])
        desk.pass(.seconds(3600))
        #expect(sites.asked.isEmpty)
    }

    @Test func aKeptFileThatCannotBeReadIsAskedForAgain() throws {
        let desk = try Desk("laptop", apps: [notes])
        let damaged = KeptSite(
            site: Site(Desk.host("example.com")), place: .wellKnown, file: Desk.file("<html>"),
            answered: desk.time.wallTime, claimants: [notes.bundle])
        desk.store.files["site-example.com"] = damaged.encoded()
        let sites = MemorySites(time: desk.time)
        sites.pages[.init(Desk.host("example.com"))] = .success(Desk.file(listing: listed))
        let service = try restarted(desk, sites)
        #expect(service.approvedApps(for: Desk.host("example.com")).isEmpty)
        desk.pass()
        #expect(sites.asked.map(\.etag) == [nil])
        #expect(service.approvedApps(for: Desk.host("example.com")).map(\.name) == ["com.example.notes"])
    }

    // MARK: Developer mode

    @Test func developersMayClaimSitesOnPrivateNetworks() throws {
        let app = Desk.claimant("notes", "activitycontinuation:dev.example.com?mode=developer")
        for webDeveloper in [false, true] {
            let desk = try Desk("laptop", apps: [app], webDeveloper: webDeveloper)
            desk.sites.privateHosts = [Desk.host("dev.example.com")]
            desk.put(Desk.file(listing: listed), on: "dev.example.com")
            desk.pass()
            #expect(desk.approved("dev.example.com") == (webDeveloper ? ["com.example.notes"] : []))
            #expect(desk.sites.asked.map(\.site.reach) == (webDeveloper ? [.anywhere] : []))
            #expect(desk.siteList().map(\.mayBePrivate) == (webDeveloper ? [true] : []))
        }
    }

    @Test func inDeveloperModeTooTheOthersAreNotAskedOnPrivateNetworks() throws {
        let desk = try Desk("laptop", apps: [notes], webDeveloper: true)
        desk.sites.privateHosts = [Desk.host("example.com")]
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        #expect(desk.sites.asked.map(\.site.reach) == [.internet])
        #expect(desk.approved("example.com") == [])
    }

    @Test func claimsForManagedDevicesCountWhileTheAdministratorSaysItIsOne() throws {
        let desk = try Desk(
            "laptop", apps: [Desk.claimant("notes", "activitycontinuation:example.com?mode=managed")])
        desk.put(Desk.file(listing: listed), on: "example.com")
        desk.pass()
        #expect(desk.sites.asked.isEmpty)
        #expect(desk.approved("example.com") == [])

        desk.rules.policy = AdministratorPolicy(isManaged: true)
        desk.pass()
        #expect(desk.sites.asked.map(\.site.reach) == [.internet])
        #expect(desk.approved("example.com") == ["com.example.notes"])

        desk.rules.policy = AdministratorPolicy()
        #expect(desk.approved("example.com") == [])
        #expect(desk.siteList() == [])
    }

    // MARK: Signed files

    private struct Vector: Decodable {
        struct File: Decodable { var name, file: String }
        var host, app: String
        var time: Int64
        var roots: [String]
        var files: [File]
    }

    private func vector() throws -> Vector {
        let url = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Protocol/vectors/signed-associations.json")
        return try JSONDecoder().decode(Vector.self, from: Data(contentsOf: url))
    }

    @Test func signedFileIsValidIfItsRootIsTrusted() throws {
        let vector = try vector()
        let signed = try #require(vector.files.first { $0.name == "p256" }.flatMap { [UInt8](hexadecimal: $0.file) })
        let roots = try vector.roots.map { try #require([UInt8](hexadecimal: $0)) }
        let parts = vector.app.split(separator: ".", maxSplits: 1).map(String.init)
        for trusted in [roots, []] {
            let time = VirtualTime()
            time.wallZero = WallTime(milliseconds: vector.time)
            let app = InstalledApp(
                bundle: try BundleID(parts[1]), name: DisplayText(cleaning: "Notes"),
                signer: .team(.made(parts[0]), name: DisplayText(cleaning: "Notes Makers")), activityTypes: [],
                associatedDomains: ["activitycontinuation:\(vector.host)"], path: "/apps/Notes.app", executable: "/n")
            let desk = try Desk("laptop", time: time, apps: [app], roots: trusted)
            let file = SiteFile(bytes: signed, contentType: "application/pkcs7-mime", etag: nil)
            desk.put(file, on: vector.host)
            desk.pass()
            #expect(desk.approved(vector.host) == (trusted.isEmpty ? [] : [parts[1]]))
            let site = try #require(desk.siteList().first)
            #expect(site.standing == (trusted.isEmpty ? .refused : .answered))
            #expect(site.isSigned == !trusted.isEmpty)
        }
    }
}
