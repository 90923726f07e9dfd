// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A real browser on one device, and the app of a real site on the other.
@Suite(
    .serialized, .needsNamespaces,
    .enabled(if: Device.missingBrowser == nil, "\(Device.missingBrowser ?? "")"))
struct PagesAndAppsTests {
    private static let host = "house.example"
    private let bound = Duration.seconds(20)

    // Shows N03, N04, L06.
    @Test func tabContinuesInTheAppOfItsSite() throws {
        try Stage.play { stage in
            let internet = try Self.internet(on: stage)
            let desktop = try #require(internet.others.first)
            try internet.install(claiming: [Self.host], on: desktop)
            #expect(try internet.answers(on: desktop) == [Self.host: "answered"])
            let log = try desktop.log(of: Internet.app)
            let watch = try desktop.watchActivities()

            let chromium = try Chromium(on: internet.laptop)
            // Compared byte for byte, so the address must not be normalized.
            let page = "https://\(Self.host)/roasters/?q=a%2Fb%20c&empty=#%C3%A4"
            try chromium.go(to: page)
            let line = try watch.output.next("the page in the list", within: bound) { $0.contains("Coffee roasters") }
            let offer = try #require(try JSON(text: line).elements.first)
            #expect(offer["target"]?["kind"]?.string == "app")
            #expect(offer["target"]?["app"]?.string == Internet.app.bundle)
            #expect(!line.contains("roasters/?q"), "its address stays at home")
            try desktop.handoff("activity", "continue")
            let continued = try log.next(starting: "continued tab=", within: bound)
            #expect(continued.hasSuffix(" url=\(page)"), "\(continued)")
        }
    }

    // Shows N01, L03, L06: without the app, its page opens in the running browser.
    @Test func activityContinuesAsAPageIfItsAppIsMissing() throws {
        try Stage.play { stage in
            let internet = try Self.internet(on: stage)
            let desktop = try #require(internet.others.first)
            try internet.install(claiming: [Self.host])
            let firefox = try Firefox(on: desktop)
            let watch = try desktop.watchActivities()
            let page = "https://\(Self.host)/bread/"
            let app = try internet.laptop.open(Internet.app)
            try app.output.next(starting: "ready", within: bound)
            try app.say("tab 3")
            try app.say("go \(page)")
            let line = try watch.output.next("the page in the list", within: bound) {
                $0.contains("Coffee Break Tab") && $0.contains("Firefox")
            }
            let offer = try #require(try JSON(text: line).elements.first)
            #expect(offer["target"]?["kind"]?.string == "webPage")
            #expect(offer["target"]?["name"]?.string == "Firefox")
            try desktop.handoff("activity", "continue")
            try firefox.wait("the page to be opened", at: page, "document.title") { $0.string == "Banana bread" }
            try app.output.next(starting: "was-continued tab=3", within: bound)
        }
    }

    private static func internet(on stage: Stage) throws -> Internet {
        let internet = try Internet(on: stage, others: ["desktop"])
        try internet.sites.add(host, internet.authority.credentials(for: host), WebSites.withPages)
        try internet.sites.put(Internet.file, at: Internet.wellKnown, of: host)
        try internet.sites.put(filesOf: WebServer.pages, of: host)
        try internet.begin()
        return internet
    }
}
