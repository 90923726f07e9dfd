// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Hosts, files and apps for the tests of web sites.
extension DeviceFixture {
    static func host(_ name: String) -> WebHost { try! WebHost(name) }

    /// A file that lists these under `activitycontinuation`.
    static func file(listing apps: String..., contentType: String = "application/json") -> SiteFile {
        let list = apps.map { "\"\($0)\"" }.joined(separator: ",")
        return file(#"{"activitycontinuation":{"apps":[\#(list)]}}"#, contentType: contentType)
    }

    static func file(_ text: String, contentType: String = "application/json") -> SiteFile {
        SiteFile(bytes: Array(text.utf8), contentType: contentType, etag: "\"1\"")
    }

    /// Its team is trusted unless the test changes that.
    static func claimant(_ name: String, _ entries: String..., team: String = "ABCDE12345") -> InstalledApp {
        app(name, team: .made(team), domains: entries)
    }

    func put(_ file: SiteFile, on host: String, at place: SitePlace = .wellKnown) {
        sites.pages[.init(DeviceFixture.host(host), place)] = .success(file)
    }

    func pass(_ duration: Duration = .seconds(1)) { time.advance(by: duration) }

    func install(_ apps: InstalledApp...) {
        catalog.installed = apps
        _ = answer(script(), .launching(.reloadApps))
    }

    func approved(_ host: String) -> [String] { webLinks.approvedApps(for: DeviceFixture.host(host)).map(\.name) }

    func siteList(_ message: LocalMessage = .webLinks(.listSites)) -> [SiteSummary] {
        guard case .webLinks(.siteList(let sites))? = answer(script(), message) else { return [] }
        return sites
    }

    func check(_ url: String) throws -> WebPageCheck {
        let answer = answer(script(), .webLinks(.checkWebPage(url)))
        guard case .webLinks(.webPageCheck(let check))? = answer else { throw NoCheck(answer: answer) }
        return check
    }

    struct NoCheck: Error { let answer: LocalMessage? }
}
