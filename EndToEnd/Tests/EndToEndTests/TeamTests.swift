// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Which apps may exchange activities, with really signed bundles.
@Suite(.serialized, .needsNamespaces) struct TeamTests {
    // Shows T08, B03: the same app, Team ID and name, but two keys.
    @Test func teamsOfOneTeamIDAndTwoKeysNeverMeet() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            // The browser is asked to save only for another device.
            try pair.begin(with: [], options: ["--keep", "0"])
            let app = App.monkeyBrowser
            let makers = try Developer("Monkey Makers", team: app.team, in: stage.folder.appending(path: "makers"))
            let takers = try Developer("Monkey Makers", team: app.team, in: stage.folder.appending(path: "takers"))
            try pair.laptop.install(app, by: makers)
            try pair.desktop.install(app, by: takers)

            let watch = try pair.desktop.start("activity", "list", "--all", "--watch", "--json")
            let browser = try pair.laptop.open(app)
            try browser.output.next(starting: "ready")
            try browser.say("go \(Pair.page)")
            let line = try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            // Its page may be opened in a web browser, even with an app of another team. The app itself gets nothing.
            let target = try #require(try JSON(text: line).elements.first?["target"])
            #expect(target["kind"]?.string == "webPage")
            let refused = try pair.desktop.command(["activity", "continue", "--app", app.bundle])
            #expect(refused.code != 0)
            #expect(refused.errors.contains("another team that also calls itself \(app.team)"))
            #expect(browser.output.count(starting: "saving") == 0)

            // With the same key they exchange activities.
            try pair.desktop.handoff("app", "remove", app.bundle)
            try pair.desktop.install(app, by: makers)
            try pair.desktop.handoff("activity", "continue", "--app", app.bundle)
            try browser.output.next(starting: "was-continued tab=1")
        }
    }

    // Shows B02, T07: withdrawn at once, and listed again when the team is trusted again.
    @Test func aDistrustedTeamsActivityIsWithdrawn() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            _ = try pair.browse()
            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the page in the list") { $0.contains(Pair.title) }
            try pair.laptop.handoff("team", "distrust", App.monkeyBrowser.team)
            try watch.output.next("the page to go", within: .seconds(2)) { !$0.contains(Pair.title) }
            try pair.laptop.install(.monkeyBrowser)
            try watch.output.next("the page to be back", within: .seconds(2)) { $0.contains(Pair.title) }
        }
    }

    // Shows T07: unsigned, on both devices of its developer, and marked wherever it is shown.
    @Test func anAppUnderDevelopmentMeetsItsOwnAccount() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            for device in [pair.laptop, pair.desktop] {
                #expect(try device.command(["app", "install", App.monkeyBrowser.path]).code == 65)
                try device.handoff("app", "install", App.monkeyBrowser.path, "--development")
            }
            let app = try #require(try pair.laptop.json("app", "list").elements.first)
            #expect(app["development"] == .bool(true))
            #expect(app["team"] == nil)
            let browser = try pair.browse()
            let offer = try #require(try pair.desktop.json("activity", "list").elements.first)
            #expect(offer["development"] == .bool(true))
            #expect(offer["target"]?["development"] == .bool(true))
            try pair.desktop.handoff("activity", "continue")
            try browser.output.next(starting: "was-continued tab=1")
        }
    }
}
