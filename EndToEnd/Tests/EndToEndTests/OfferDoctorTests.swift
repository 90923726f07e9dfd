// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// `handoff doctor` about one offer, after something has really stopped it on its way.
// Shows Y06, G01.
@Suite(.serialized, .needsNamespaces) struct OfferDoctorTests {
    private static let app = App.monkeyBrowser
    private static let type = "\(app.bundle).tab1"

    /// The steps of the laptop's offer, as `result: what was seen`.
    private func steps(on device: Device, _ question: [String] = ["--why", "laptop", type]) throws -> [String] {
        try device.examine(question).map { "\($0.result): \($0.seen)" }
    }

    @Test func offerIsFollowedFromItsAppToTheAppHere() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let browser = try pair.browse()
            let here = "passed: \(Pair.title) (MonkeyBrowser) continues in MonkeyBrowser: MonkeyBrowser is of the same"
            let followed = try steps(on: pair.desktop)
            #expect(followed.prefix(2) == ["passed: laptop is connected", "passed: laptop offers 1 such activity"])
            #expect(followed.count == 3 && followed[2].hasPrefix(here), "\(followed)")
            let activities = try pair.desktop.json("activity", "list").elements
            let activity = try #require(activities.first?["activity"]?.string)
            let named = try steps(on: pair.desktop, [activity])
            #expect(named == followed)
            let atHome = try steps(on: pair.laptop, [activity])
            #expect(atHome == ["passed: \(Pair.title) (MonkeyBrowser) is offered", "passed: connected: desktop"])
            let text = try pair.desktop.handoff("doctor", activity)
            #expect(text.hasSuffix("3 passed, 0 failed, 0 unknown"), "\(text)")

            let watch = try pair.desktop.watchActivities()
            try browser.say("close")
            try watch.output.next("the page to go") { !$0.contains(Pair.title) }
            let unknown = try pair.desktop.command(["doctor", activity])
            #expect(unknown.code == 1 && unknown.errors.contains("no activity has an id that begins with"))
            let halves = try pair.desktop.command(["doctor", "--why", "laptop"])
            #expect(halves.code == 64 && halves.errors.contains("--why needs a device and an activity type"))
            let stranger = try pair.desktop.command(["doctor", "--why", "phone", Self.type])
            #expect(stranger.code == 1 && stranger.errors.contains("no device of the account has that name"))
        }
    }

    @Test func originSaysWhyItOffersNothing() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let administrator = try Administrator(of: "laptop", on: pair.network, stage: stage)
            try pair.begin(options: Pair.watched)
            let session = try pair.laptop.logIn()
            let none =
                "failed: laptop offers no such activity: none is current, eligible for Handoff and switched on there"
            let closed = try steps(on: pair.laptop)
            #expect(closed.first == "failed: MonkeyBrowser does not run")
            let asked = try steps(on: pair.desktop)
            #expect(asked == ["passed: laptop is connected", none, "passed: declared here by MonkeyBrowser"])

            let browser = try pair.laptop.open(Self.app)
            try browser.output.next(starting: "ready")
            try pair.laptop.daemon?.errors.next("the app") {
                $0.contains(Self.app.bundle) && $0.hasSuffix("Client connected")
            }
            let empty = try steps(on: pair.laptop)
            #expect(empty.first == "failed: MonkeyBrowser runs, but has no current activity of this type")
            let watch = try pair.desktop.watchActivities()
            func awaitPage(isListed: Bool) throws {
                try watch.output.next("the change") { $0.contains(Pair.title) == isListed }
            }
            try browser.say("go \(Pair.page)")
            try awaitPage(isListed: true)

            try session.lock()
            try awaitPage(isListed: false)
            let locked = try steps(on: pair.desktop)
            #expect(locked[1] == "failed: laptop offers nothing, because its screen is locked")
            let lockedHere = try steps(on: pair.laptop)
            #expect(lockedHere.first == "failed: the screen is locked, so activities here are not offered")
            try session.unlock()
            try awaitPage(isListed: true)

            try pair.laptop.handoff("policy", "off", "advertising", "--app", Self.app.bundle)
            try awaitPage(isListed: false)
            let offForApp = try steps(on: pair.desktop)
            #expect(offForApp[1] == none, "the switch of one app is not for other devices")
            let offForAppHere = try steps(on: pair.laptop)
            let why = "advertising is switched off for \(Self.app.bundle)"
            #expect(offForAppHere.first == "failed: \(Pair.title) (MonkeyBrowser) is not offered: \(why)")
            try pair.laptop.handoff("policy", "off", "advertising")
            let off = try steps(on: pair.desktop)
            #expect(off[1] == "failed: laptop offers nothing, because offering is switched off there")
            try administrator.rule(#"{"advertising": false}"#)
            try pair.laptop.daemon?.errors.next("the ruling") { $0.hasSuffix("Administrator's policy changed") }
            let ruled = try steps(on: pair.desktop)
            #expect(ruled[1] == "failed: laptop offers nothing, because its administrator switched offering off")
        }
    }

    @Test func ineligibleActivityIsNamedAtItsOriginOnly() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let app = try App.exchange(in: stage.folder)
            try pair.begin(with: [app])
            let watch = try pair.desktop.watchActivities()
            let exchange = try pair.laptop.open(app)
            try exchange.output.next(starting: "ready")
            try exchange.say("offer 1")
            try watch.output.next("the activity") { $0.contains("Exchange 1") }
            try exchange.say("eligible off")
            try watch.output.next("the activity to go") { !$0.contains("Exchange 1") }
            let question = ["--why", "laptop", "com.example.exchange.talking"]
            let here = try steps(on: pair.laptop, question)
            #expect(here.first == "failed: the current activity of Exchange is not eligible for Handoff")
            let there = try steps(on: pair.desktop, question)
            #expect(there[1].contains("offers no such activity"))
            try exchange.say("eligible on")
            try watch.output.next("the activity to be back") { $0.contains("Exchange 1") }
            let again = try steps(on: pair.laptop, question)
            #expect(again.first == "passed: Exchange 1 (Exchange) is offered")
        }
    }

    @Test func deviceWithoutASessionIsNamed() throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            try pair.laptop.stopDaemon()
            try pair.desktop.daemon?.errors.next("the end of the session") { $0.hasSuffix("Session closed") }
            let away = try steps(on: pair.desktop)
            #expect(away.count == 1 && away[0].hasPrefix("failed: laptop is not connected"), "\(away)")
        }
    }

    @Test func appThatCannotContinueItHereIsNamed() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let makers = try Developer("Makers", team: "EXCHANGE26", in: stage.folder.appending(path: "makers"))
            let takers = try Developer("Takers", team: "EXCHANGE26", in: stage.folder.appending(path: "takers"))
            let others = try Developer("Others", team: "OTHERTEAM1", in: stage.folder.appending(path: "others"))
            let app = try App.exchange(in: stage.folder)
            try pair.laptop.install(app, by: makers)
            let watch = try pair.desktop.watchActivities()
            let exchange = try pair.laptop.open(app)
            try exchange.output.next(starting: "ready")
            try exchange.say("offer 1")
            let question = ["--why", "laptop", "com.example.exchange.talking"]
            let all = try pair.desktop.start("activity", "list", "--all", "--watch", "--json")
            try all.output.next("the activity") { $0.contains("Exchange 1") }
            let cannot = "failed: Exchange 1 (Exchange) cannot continue here: "
            let absent = try steps(on: pair.desktop, question)
            #expect(absent.last == cannot + "no app of team EXCHANGE26 is installed")

            try pair.desktop.install(app, by: takers)
            let twin = try steps(on: pair.desktop, question)
            #expect(twin.last?.contains("another team that also calls itself EXCHANGE26, with a different key") == true)
            try pair.desktop.handoff("app", "remove", app.bundle)

            let reader = try App.exchange(
                in: stage.folder.appending(path: "reader"), types: ["com.example.exchange.reading"])
            try pair.desktop.install(reader, by: makers)
            let undeclared = try steps(on: pair.desktop, question)
            #expect(undeclared.last == cannot + "no installed app of team EXCHANGE26 supports this activity type")
            try pair.desktop.handoff("app", "remove", app.bundle)

            let foreign = try App.exchange(in: stage.folder.appending(path: "foreign"), team: "OTHERTEAM1")
            try pair.desktop.install(foreign, by: others)
            let otherTeam = try steps(on: pair.desktop, question)
            #expect(otherTeam.last?.contains("belongs to team OTHERTEAM1, not to team EXCHANGE26") == true)
            try pair.desktop.handoff("app", "remove", app.bundle)

            try pair.desktop.install(app, by: makers)
            try watch.output.next("the activity") { $0.contains("Exchange 1") }
            let teams = try pair.desktop.json("team", "list").elements
            let key = try #require(teams.first { $0["name"]?.string == "Makers" }?["key"]?.string)
            try pair.desktop.handoff("team", "distrust", key)
            let distrusted = try steps(on: pair.desktop, question)
            #expect(distrusted.last?.contains("is not trusted on this device") == true, "\(distrusted)")

            try pair.desktop.handoff("policy", "off", "receiving")
            let off = try steps(on: pair.desktop, question)
            #expect(off.first == "failed: receiving is switched off on this device")
        }
    }

    @Test func siteThatDoesNotApproveTheAppIsNamed() throws {
        try Stage.play { stage in
            let internet = try Internet(on: stage, others: ["desktop"])
            let desktop = try #require(internet.others.first)
            let host = "house.example"
            let file = Data(#"{"activitycontinuation":{"apps":["ABCDE12345.com.example.other"]}}"#.utf8)
            try internet.site(host, file: file)
            try internet.begin()
            try internet.install(claiming: [host], on: desktop)
            #expect(try internet.answers(on: desktop) == [host: "answered"])
            let watch = try desktop.watchActivities()
            let type = "NSUserActivityTypeBrowsingWeb"
            _ = try internet.laptop.start(
                "activity", "publish", "--type", type, "--title", "Menu", "--web", "https://\(host)/menu")
            try watch.output.next("the page") { $0.contains("Menu") }
            let steps = try steps(on: desktop, ["--why", "laptop", type])
            let reason = "no installed app is approved for \(host); the default browser opens its web page"
            #expect(steps.last?.hasSuffix(reason) == true, "\(steps)")
        }
    }
}
