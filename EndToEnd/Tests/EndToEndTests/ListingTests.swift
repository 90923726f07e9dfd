// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The activities that another device lists.
@Suite(.serialized, .needsNamespaces) struct ListingTests {
    // Shows A30, A32, B02, B13.
    @Test func aClosedPageIsGoneForGood() throws {
        try Stage.play { stage in
            try expectEnd(of: Pair(on: stage), after: "close", answer: "closed tab=1")
        }
    }

    // Shows A17, B02.
    @Test func anExpiredPageIsGone() throws {
        try Stage.play { stage in
            try expectEnd(of: Pair(on: stage), after: "expire 0.5", answer: "expires tab=1")
        }
    }

    /// The page disappears from the list, and choosing its tab, which makes it current again, does not restore it.
    private func expectEnd(of pair: Pair, after command: String, answer: String) throws {
        let browser = try pair.browse()
        let watch = try pair.desktop.watchActivities()
        try watch.output.next("the page in the list") { $0.contains(Pair.title) }
        try browser.say(command)
        try browser.output.next(starting: answer)
        try watch.output.next("an empty list") { $0 == "[]" }
        let sightings = watch.output.count(containing: Pair.title)

        try browser.say("tab 1")
        try browser.output.next(starting: "selected tab=1")
        try browser.say("tab 2")
        try browser.say("go \(Pair.page)")
        // Later messages arrive later.
        try watch.output.next("the next page") { $0.contains("Favorite Tab") }
        #expect(watch.output.count(containing: Pair.title) == sightings)
    }

    // Shows B03, B04, B05: two apps share one app's types, and an app of another team gets none.
    @Test func appsGetTheirTeamsAndTheirTypesAlone() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            // The browser is asked to save only for another device.
            try pair.begin(with: [], options: ["--keep", "0"])
            try pair.laptop.install(.monkeyBrowser)
            let monkey = App.monkeyBrowser
            let weather = try monkey.copied(as: "com.xamarin.weather", tabs: [1], to: stage.folder)
            let office = try monkey.copied(as: "com.xamarin.office", tabs: [3, 4], to: stage.folder)
            let stranger = try monkey.copied(as: "com.example.ape", team: "STRANGERS1", to: stage.folder)
            for app in [weather, office, stranger] { try pair.desktop.install(app) }

            let watch = try pair.desktop.watchActivities()
            let browser = try pair.laptop.open(monkey)
            for (tab, app) in [(4, office), (1, weather)] {
                try browser.say("tab \(tab)")
                try browser.say("go \(Pair.page)")
                let line = try watch.output.next("tab \(tab) in the list") { $0.contains("\(monkey.bundle).tab\(tab)") }
                let offer = try #require(try JSON(text: line).elements.first)
                #expect(offer["target"]?["app"]?.string == app.bundle)
                try pair.desktop.handoff("activity", "continue")
                try pair.desktop.log(of: app).next(starting: "continued tab=\(tab)")
            }

            // The stranger's app declares this type too.
            try browser.say("tab 2")
            try browser.say("go \(Pair.page)")
            let line = try watch.output.next("tab 2 in the list") { $0.contains("\(monkey.bundle).tab2") }
            #expect(try JSON(text: line).elements.first?["target"]?["kind"]?.string == "webPage")
            #expect(try pair.desktop.command(["activity", "continue", "--app", stranger.bundle]).code != 0)
            #expect(browser.output.count(starting: "saving tab=2") == 0)
        }
    }

    // Shows N01, L03: the desktop's opener opens the page in the user's default browser. The app's state stays on the
    // origin.
    @Test func aPageOpensInTheBrowserWhereNoAppTakesIt() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            try pair.laptop.install(.monkeyBrowser)
            let opened = try stage.follow(pair.desktop.setDefaultBrowser(), name: "opened pages")
            let browser = try pair.browse()
            let outcome = try pair.desktop.json("activity", "continue", "--open")
            #expect(outcome["target"]?["kind"]?.string == "webPage")
            #expect(outcome["activity"]?["userInfo"] == .object([:]))
            let page = try opened.next("the page") { _ in true }
            #expect(page == Pair.page)
            try browser.output.next(starting: "was-continued tab=1")
        }
    }
}
