// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTesting
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

/// Which apps may have the pages of which sites, on in-memory adapters.
@Suite struct WebLinksServiceTests {
    private let notes = DeviceFixture.claimant("notes", "activitycontinuation:example.com")
    private let listed = "ABCDE12345.com.example.notes"

    // Shows N05.
    @Test func anAppIsApprovedWhereItClaimsTheSiteAndTheSiteListsIt() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        var changes = 0
        fixture.webLinks.onChange { _ in changes += 1 }
        #expect(fixture.approved("example.com") == [])
        fixture.pass()
        #expect(fixture.approved("example.com") == ["com.example.notes"])
        #expect(changes == 1)
        #expect(fixture.approved("www.example.com") == [])
        #expect(fixture.sites.asked.map(\.site) == [Site(DeviceFixture.host("example.com"))])
    }

    // Shows N05, X10.
    @Test func oneSideAloneApprovesNoApp() throws {
        // The site lists an app that does not claim it, and does not list the claimant.
        let fixture = try DeviceFixture(
            "laptop", apps: [notes, DeviceFixture.claimant("photos", "activitycontinuation:other.example")])
        fixture.put(DeviceFixture.file(listing: "ABCDE12345.com.example.photos"), on: "example.com")
        fixture.pass()
        #expect(fixture.approved("example.com") == [])
        #expect(fixture.approved("other.example") == [])
    }

    // Shows N05.
    @Test func anAppOfAnotherTeamInTheFileIsAnotherApp() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: "STRANGER99.com.example.notes"), on: "example.com")
        fixture.pass()
        #expect(fixture.approved("example.com") == [])
    }

    // Shows X10.
    @Test func onlySitesThatASignedAppOfATrustedTeamClaimsForHandoffAreAsked() throws {
        let fixture = try DeviceFixture("laptop")
        fixture.teams.distrust(.made("STRANGER99"))
        fixture.install(
            DeviceFixture.claimant("stranger", "activitycontinuation:a.example", team: "STRANGER99"),
            DeviceFixture.app("tryout", team: nil, domains: ["activitycontinuation:b.example"]),
            DeviceFixture.claimant(
                "links", "applinks:c.example", "webcredentials:c.example", "activitycontinuation:d.example:8443",
                "activitycontinuation:e.example?mode=developer", "activitycontinuation:f.example?mode=managed"))
        fixture.pass(.seconds(3600))
        #expect(fixture.sites.asked.isEmpty)
        fixture.teams.trust(.made("STRANGER99"))
        fixture.pass()
        #expect(fixture.sites.asked.map(\.site.host.name) == ["a.example", "a.example"])
    }

    // Shows X10.
    @Test func distrustingATeamWithdrawsItsApproval() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        var heard: [[String]] = []
        fixture.webLinks.onChange { _ in heard.append(fixture.approved("example.com")) }
        fixture.teams.distrust(.made("ABCDE12345"))
        #expect(heard.last == [])
        #expect(fixture.approved("example.com") == [])
        // Nor is the answer of an unclaimed site kept.
        #expect(fixture.store.files.keys.filter { $0.hasPrefix("site-") }.isEmpty)
        fixture.pass(.seconds(14 * 86400))
        #expect(fixture.sites.asked.count == 1)
    }

    // Shows N09.
    @Test func aWildcardAsksItsDomainAndSpeaksForWhatIsBelow() throws {
        let fixture = try DeviceFixture(
            "laptop", apps: [DeviceFixture.claimant("notes", "activitycontinuation:*.example.com")])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        #expect(fixture.sites.asked.map(\.site.host.name) == ["example.com"])
        #expect(fixture.approved("www.example.com") == ["com.example.notes"])
        #expect(fixture.approved("a.b.example.com") == ["com.example.notes"])
        #expect(fixture.approved("example.com") == [])
    }

    @Test func twoAppsOfOneHostAreBothApproved() throws {
        let fixture = try DeviceFixture(
            "laptop", apps: [notes, DeviceFixture.claimant("album", "activitycontinuation:example.com")])
        fixture.put(DeviceFixture.file(listing: listed, "ABCDE12345.com.example.album"), on: "example.com")
        fixture.pass()
        #expect(fixture.approved("example.com") == ["com.example.album", "com.example.notes"])
        #expect(fixture.sites.asked.count == 1)
    }

    @Test func newAppUsesTheKnownFileWhileTheSiteIsFetchedAgain() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed, "ABCDE12345.com.example.album"), on: "example.com")
        fixture.pass(.seconds(60))
        fixture.install(notes, DeviceFixture.claimant("album", "activitycontinuation:example.com"))
        #expect(fixture.approved("example.com") == ["com.example.album", "com.example.notes"])
        fixture.pass()
        #expect(fixture.sites.asked.map(\.etag) == [nil, "\"1\""])
    }

    // Shows N05, N07.
    @Test(arguments: [
        "<!DOCTYPE html><title>Not found</title>", "", "{", #"{"activitycontinuation":1,"activitycontinuation":2}"#,
        "[]",
    ])
    func aFileThatCannotBeReadIsTheSitesNo(text: String) throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(text, contentType: "application/json"), on: "example.com")
        fixture.pass()
        #expect(fixture.sites.asked.map(\.place) == [.wellKnown, .root])
        #expect(fixture.approved("example.com") == [])
        let site = try #require(fixture.siteList().first)
        #expect(site.standing == .refused)
        #expect(site.reason?.hasPrefix("at the well-known path: ") == true)
        #expect(site.reason?.hasSuffix("; at the root: it has no such file (404)") == true)
        #expect(fixture.store.files["site-example.com"] == nil)
        // The root may have a valid file.
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com", at: .root)
        fixture.pass(.seconds(2 * 86400))
        #expect(fixture.approved("example.com") == ["com.example.notes"])
        #expect(fixture.siteList().first?.isAtRoot == true)
    }

    // Shows N12.
    @Test func aSitesNoEndsTheApprovalAtOnce() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        #expect(fixture.store.files["site-example.com"] != nil)
        fixture.sites.pages = [:]
        var heard: [[String]] = []
        fixture.webLinks.onChange { _ in heard.append(fixture.approved("example.com")) }
        fixture.pass(.seconds(8 * 86400))
        #expect(heard == [[]])
        #expect(fixture.store.files["site-example.com"] == nil)
    }

    // Shows N12.
    @Test func anOutageKeepsTheApprovalForThirtyDays() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        fixture.sites.outages[DeviceFixture.host("example.com")] = SiteFailure(.timedOut, "it did not answer in time")
        fixture.pass(.seconds(29 * 86400))
        #expect(fixture.approved("example.com") == ["com.example.notes"])
        #expect(fixture.siteList().first?.standing == .kept)
        #expect(fixture.siteList().first?.reason == "it did not answer in time")
        fixture.pass(.seconds(2 * 86400))
        #expect(fixture.approved("example.com") == [])
        #expect(fixture.siteList().first?.standing == .unreachable)
    }

    // MARK: Restarts

    private func restarted(_ fixture: DeviceFixture, _ sites: MemorySites) throws -> WebLinksService {
        let service = WebLinksService(
            apps: fixture.apps, sites: sites, store: fixture.store, time: fixture.time, random: .seeded(2),
            policy: fixture.policy, isForDevelopment: false, roots: { [] },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try service.start()
        return service
    }

    // Shows N12.
    @Test func siteApprovalSurvivesARestartWithoutAFetch() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        let sites = MemorySites(time: fixture.time)
        let service = try restarted(fixture, sites)
        #expect(service.approvedApps(for: DeviceFixture.host("example.com")).map(\.name) == ["com.example.notes"])
        fixture.pass(.seconds(3600))
        #expect(sites.asked.isEmpty)
    }

    @Test func aKeptFileThatCannotBeReadIsAskedForAgain() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes])
        let damaged = KeptSite(
            site: Site(DeviceFixture.host("example.com")), place: .wellKnown, file: DeviceFixture.file("<html>"),
            answered: fixture.time.wallTime, claimants: [notes.bundle])
        fixture.store.files["site-example.com"] = damaged.encoded()
        let sites = MemorySites(time: fixture.time)
        sites.pages[.init(DeviceFixture.host("example.com"))] = .success(DeviceFixture.file(listing: listed))
        let service = try restarted(fixture, sites)
        #expect(service.approvedApps(for: DeviceFixture.host("example.com")).isEmpty)
        fixture.pass()
        #expect(sites.asked.map(\.etag) == [nil])
        #expect(service.approvedApps(for: DeviceFixture.host("example.com")).map(\.name) == ["com.example.notes"])
    }

    // MARK: Developer mode

    // Shows N11.
    @Test func developersMayClaimSitesOnPrivateNetworks() throws {
        let app = DeviceFixture.claimant("notes", "activitycontinuation:dev.example.com?mode=developer")
        for webDeveloper in [false, true] {
            let fixture = try DeviceFixture("laptop", apps: [app], webDeveloper: webDeveloper)
            fixture.sites.privateHosts = [DeviceFixture.host("dev.example.com")]
            fixture.put(DeviceFixture.file(listing: listed), on: "dev.example.com")
            fixture.pass()
            #expect(fixture.approved("dev.example.com") == (webDeveloper ? ["com.example.notes"] : []))
            #expect(fixture.sites.asked.map(\.site.reach) == (webDeveloper ? [.anywhere] : []))
            #expect(fixture.siteList().map(\.mayBePrivate) == (webDeveloper ? [true] : []))
        }
    }

    // Shows N11.
    @Test func inDeveloperModeTooTheOthersAreNotAskedOnPrivateNetworks() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes], webDeveloper: true)
        fixture.sites.privateHosts = [DeviceFixture.host("example.com")]
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        #expect(fixture.sites.asked.map(\.site.reach) == [.internet])
        #expect(fixture.approved("example.com") == [])
    }

    // Shows N11.
    @Test func managedClaimsApplyOnlyWhileTheDeviceIsManaged() throws {
        let fixture = try DeviceFixture(
            "laptop", apps: [DeviceFixture.claimant("notes", "activitycontinuation:example.com?mode=managed")])
        fixture.put(DeviceFixture.file(listing: listed), on: "example.com")
        fixture.pass()
        #expect(fixture.sites.asked.isEmpty)
        #expect(fixture.approved("example.com") == [])

        fixture.rules.policy = AdministratorPolicy(isManaged: true)
        fixture.pass()
        #expect(fixture.sites.asked.map(\.site.reach) == [.internet])
        #expect(fixture.approved("example.com") == ["com.example.notes"])

        fixture.rules.policy = AdministratorPolicy()
        #expect(fixture.approved("example.com") == [])
        #expect(fixture.siteList() == [])
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

    // Shows N06.
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
            let fixture = try DeviceFixture("laptop", time: time, apps: [app], roots: trusted)
            let file = SiteFile(bytes: signed, contentType: "application/pkcs7-mime", etag: nil)
            fixture.put(file, on: vector.host)
            fixture.pass()
            #expect(fixture.approved(vector.host) == (trusted.isEmpty ? [] : [parts[1]]))
            let site = try #require(fixture.siteList().first)
            #expect(site.standing == (trusted.isEmpty ? .refused : .answered))
            #expect(site.isSigned == !trusted.isEmpty)
        }
    }
}
