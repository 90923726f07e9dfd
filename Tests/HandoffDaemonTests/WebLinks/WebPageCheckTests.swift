// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The explanation of how a page would be continued.
// Shows N15.
@Suite struct WebPageCheckTests {
    private let listed = "ABCDE12345.com.example.notes"

    /// One app with one entry, and a site that lists it.
    private func fixture(_ entry: String, file: SiteFile? = nil) throws -> DeviceFixture {
        let fixture = try DeviceFixture("laptop", apps: [DeviceFixture.claimant("notes", entry)])
        fixture.put(file ?? DeviceFixture.file(listing: "ABCDE12345.com.example.photos", listed), on: "example.com")
        fixture.pass()
        return fixture
    }

    @Test func theEntryTheFileAndTheTakerAreNamed() throws {
        let check = try fixture("activitycontinuation:*.example.com").check("https://www.example.com/page?x#y")
        #expect(check.host?.name == "www.example.com")
        #expect(check.problem == nil)
        #expect(check.claims.map(\.entry) == ["activitycontinuation:*.example.com"])
        #expect(check.claims.map(\.counts) == [true])
        #expect(check.claims.first?.reason == "example.com lists the app (activitycontinuation.apps[1])")
        #expect(
            check.claims.first?.steps == [
                "activitycontinuation.apps[0]: names another app, ABCDE12345.com.example.photos",
                "activitycontinuation.apps[1]: names the app",
            ])
        #expect(check.sites.map(\.host.name) == ["example.com"])
        #expect(check.sites.map(\.standing) == [.answered])
        #expect(check.taker == .app(try BundleID("com.example.notes")))
        #expect(check.takerName.text == "notes")
        #expect(check.reason == "www.example.com and notes approve each other")
    }

    // Shows N10.
    @Test(arguments: [
        ("activitycontinuation:*.example.com", "the star matches hosts below example.com"),
        ("activitycontinuation:www.example.com", "it is for www.example.com alone"),
        ("activitycontinuation:example.com:443", "it names a port"),
        ("activitycontinuation:https://example.com/", "only the domain is allowed"),
        ("activity continuation:example.com", "it contains a space"),
        ("handoff:example.com", "is not one of the services"),
        ("applinks:example.com", "applinks is not about Handoff"),
        ("activitycontinuation:example.com?mode=developer", "only in developer mode, which is off here"),
        ("activitycontinuation:example.com?mode=managed", "only on managed devices"),
    ])
    func anEntryThatDoesNotCountSaysWhy(entry: String, reason: String) throws {
        let check = try fixture(entry).check("https://example.com/")
        #expect(check.claims.map(\.counts) == [false])
        #expect(check.claims.first?.reason.contains(reason) == true, "\(check.claims)")
        #expect(check.taker == .browser)
        #expect(check.reason == "no installed app is approved for example.com; the default browser opens its web page")
    }

    @Test func entriesAboutOtherHostsAreNotShown() throws {
        let check = try fixture("activitycontinuation:example.net").check("https://example.com/")
        #expect(check.claims.isEmpty)
        #expect(check.reason == "no installed app is approved for example.com; the default browser opens its web page")
    }

    @Test func aDevelopmentAppsMissingClaimsAreExplained() throws {
        let fixture = try DeviceFixture("laptop", apps: [DeviceFixture.app("tryout", team: nil)])
        #expect(try fixture.check("https://example.com/").reason.contains("they are not signed"))
    }

    @Test func theTeamThatIsNotTrustedIsTheReason() throws {
        let fixture = try fixture("activitycontinuation:example.com")
        fixture.teams.distrust(.made("ABCDE12345"))
        let claim = try #require(try fixture.check("https://example.com/").claims.first)
        #expect(!claim.counts && claim.reason == "the team of notes is not trusted on this device")
    }

    // Shows N10.
    @Test func domainsOverTheClaimLimitAreIgnored() throws {
        let entries = (0..<50).map { "activitycontinuation:h\($0).example" } + ["activitycontinuation:example.com"]
        let fixture = try DeviceFixture("laptop", apps: [DeviceFixture.app("notes", domains: entries)])
        let claim = try #require(try fixture.check("https://example.com/").claims.first)
        #expect(!claim.counts && claim.reason.contains("the app claims 51 domains"))
    }

    // Shows N09.
    @Test func theEntryThatSpeaksIsNamed() throws {
        let entries = ["activitycontinuation:*.example.com", "activitycontinuation:www.example.com"]
        let fixture = try DeviceFixture("laptop", apps: [DeviceFixture.app("notes", domains: entries)])
        fixture.put(DeviceFixture.file(listing: listed), on: "www.example.com")
        fixture.pass()
        let check = try fixture.check("https://www.example.com/")
        #expect(check.claims.map(\.counts) == [false, true])
        #expect(check.claims.first?.reason == "another entry is used for this host: \(entries[1])")
        #expect(check.sites.map(\.host.name) == ["www.example.com"])
    }

    // MARK: Targets

    @Test func checkNamesTheMostRecentlyUsedOfSeveralApps() throws {
        let apps = ["album", "notes"].map { DeviceFixture.claimant($0, "activitycontinuation:example.com") }
        let fixture = try DeviceFixture("laptop", apps: apps)
        fixture.put(DeviceFixture.file(listing: listed, "ABCDE12345.com.example.album"), on: "example.com")
        fixture.pass()
        let first = try fixture.check("https://example.com/")
        #expect(first.taker == .app(apps[0].bundle))
        #expect(first.reason.hasSuffix("is first by name"))
        fixture.launching.used(apps[1].bundle)
        let second = try fixture.check("https://example.com/")
        #expect(second.taker == .app(apps[1].bundle))
        #expect(second.reason.hasSuffix("was used most recently"))
        #expect(second.claims.map(\.counts) == [true, true])
    }

    @Test func theEndIsWhatAContinuationWouldDo() throws {
        let fixture = try fixture("activitycontinuation:example.com")
        for (url, host) in [
            ("https://example.com/", "example.com"), ("https://www.example.com/", "www.example.com"),
            ("https://example.com:444/", nil),
        ] {
            let check = try fixture.check(url)
            let resolution = fixture.launching.resolve(pageOf: host.map(DeviceFixture.host), wish: Resolution.Wish())
            switch resolution.target {
            case .app(let bundle): #expect(check.taker == .app(bundle))
            default: #expect(check.taker == .browser)
            }
            #expect(check.reason == resolution.reason)
        }
    }

    @Test func checkIsRefusedWhileReceivingIsOff() throws {
        let fixture = try fixture("activitycontinuation:example.com")
        let script = fixture.script()
        _ = fixture.answer(script, .policy(.setPolicy(PolicyChange(PolicySubject(.receiving), isOff: true))))
        guard case .failure(let failure)? = fixture.answer(script, .webLinks(.checkWebPage("https://example.com/")))
        else {
            return #expect(Bool(false), "not refused")
        }
        #expect(failure.reason.contains("receiving"))
    }

    // MARK: Sites

    // Shows N08.
    @Test func checkStatesTheReasonFromTheSite() throws {
        let fixture = try DeviceFixture(
            "laptop", apps: [DeviceFixture.claimant("notes", "activitycontinuation:example.com")])
        func reason() throws -> String { try #require(try fixture.check("https://example.com/").claims.first).reason }
        #expect(try reason() == "example.com was not asked yet")
        fixture.pass()
        #expect(try reason() == "example.com has no valid file: it has no such file (404)")
        fixture.put(DeviceFixture.file(listing: "STRANGER99.com.example.notes"), on: "example.com")
        fixture.pass(.seconds(2 * 86400))
        #expect(try reason() == "example.com: the file does not name the app under activitycontinuation")
        fixture.sites.pages[.init(DeviceFixture.host("example.com"))] = .success(
            SiteFile(bytes: Array(#"{"applinks":{}}"#.utf8), contentType: "application/json", etag: "\"2\""))
        fixture.pass(.seconds(8 * 86400))
        #expect(try reason() == "example.com: the file has no entry for activitycontinuation")
    }

    @Test func outageIsReportedWithTheApprovalStillInEffect() throws {
        let fixture = try fixture("activitycontinuation:example.com")
        fixture.sites.outages[DeviceFixture.host("example.com")] = SiteFailure(.timedOut, "it did not answer in time")
        fixture.pass(.seconds(8 * 86400))
        let check = try fixture.check("https://example.com/")
        #expect(check.claims.map(\.counts) == [true])
        #expect(
            check.claims.first?.reason.hasSuffix("it could not be asked again, because it did not answer in time")
                == true)
        #expect(check.sites.map(\.standing) == [.kept])
        fixture.pass(.seconds(30 * 86400))
        let later = try fixture.check("https://example.com/")
        #expect(later.claims.first?.reason == "example.com could not be asked: it did not answer in time")
        #expect(later.taker == .browser)
    }

    // Shows N13, N14.
    @Test func linkRulesAreShownButDoNotChangeTheTarget() throws {
        let file = DeviceFixture.file(
            """
            {"activitycontinuation":{"apps":["\(listed)"]},"applinks":{"details":[
             {"appID":"ABCDE12345.com.example.old","paths":["*"]},
             {"appIDs":["\(listed)"],"components":[{"/":"/buy/*","exclude":true},{"/":"*"}]}]}}
            """)
        let app = DeviceFixture.claimant("notes", "activitycontinuation:example.com", "applinks:example.com")
        let fixture = try DeviceFixture("laptop", apps: [app])
        fixture.put(file, on: "example.com")
        fixture.pass()
        let check = try fixture.check("https://example.com/buy/1")
        #expect(check.claims.map(\.counts) == [true, false])
        let links = try #require(check.claims.last)
        #expect(links.reason.contains("For links the site says no: applinks.details[1].components[0]"))
        #expect(links.steps.count == 2)
        #expect(check.taker == .app(app.bundle))
    }

    // MARK: Addresses

    @Test(arguments: [
        ("https://user@example.com/", "a user name"), ("https://example.com:8443/", "names a port"),
        ("https://example.com./", "ends with a dot"), ("https://b\u{FC}cher.example/", "not in ASCII"),
        ("https://ex\u{430}mple.com/", "not in ASCII"), ("https://192.168.1.1/", "an IP address"),
        ("https://example.com/a/../b", ". or .."), ("https://example.com/a b", "a space or a control character"),
        ("https://example.com\\evil/", "backslash"), ("https://localhost/", "no dot"),
    ])
    func anAddressThatNoAppGetsIsNamed(url: String, problem: String) throws {
        let check = try fixture("activitycontinuation:example.com").check(url)
        #expect(check.host == nil)
        #expect(check.problem?.contains(problem) == true, "\(check.problem ?? "none")")
        #expect(check.taker == .browser)
        #expect(check.claims.isEmpty)
    }

    @Test(arguments: [
        "ftp://example.com/", "javascript:alert(1)", "example.com", "",
        "https://example.com/\(String(repeating: "x", count: 100_000))",
    ])
    func invalidWebPageAddressIsRefused(url: String) throws {
        let fixture = try fixture("activitycontinuation:example.com")
        guard case .failure(let failure)? = fixture.answer(fixture.script(), .webLinks(.checkWebPage(url))) else {
            return #expect(Bool(false), "\(url) is taken")
        }
        #expect(failure.code == .malformed)
    }

    @Test(arguments: ["https://example.com/a%2Fb", "http://EXAMPLE.com", "https://example.com/%F0%9F%90%92?q=%20"])
    func addressAsBrowsersWriteItIsAccepted(url: String) throws {
        #expect(try fixture("activitycontinuation:example.com").check(url).taker == .app(BundleID("com.example.notes")))
    }

    // MARK: Limits

    @Test func explanationsAreBounded() throws {
        let apps = (0..<PageCheckLimits.claims + 10).map {
            DeviceFixture.app("app\($0)", domains: ["activitycontinuation:example.com"])
        }
        let fixture = try DeviceFixture("laptop", apps: apps)
        let others = (0..<200).map { "\"ABCDE12345.com.example.other\($0)\"" }.joined(separator: ",")
        fixture.put(DeviceFixture.file(#"{"activitycontinuation":{"apps":[\#(others)]}}"#), on: "example.com")
        fixture.pass()
        let check = try fixture.check("https://example.com/")
        #expect(check.claims.count == PageCheckLimits.claims)
        #expect(check.claims.map(\.steps.count).reduce(0, +) == PageCheckLimits.steps)
    }
}
