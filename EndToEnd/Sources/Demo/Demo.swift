// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

/// The main use case, on two devices that share this machine. Each has its own daemon, folder and MonkeyBrowser, and
/// they communicate over real TLS.
@main struct Demo {
    /// With a display, the demo uses windows and a page worth showing.
    static let hasWindows = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    static let app = hasWindows ? App.monkeyBrowserWindow : .monkeyBrowser
    private static let environment = ProcessInfo.processInfo.environment

    static func main() {
        Stage.playAsProgram(
            orSay: "\nThe demo failed", in: Builds.root.appending(path: ".demo"), play(on:))
    }

    static func play(on stage: Stage) throws {
        let timeline = Timeline()
        let place = try Place(on: stage, app: app)
        let (laptop, desktop) = (place.laptop, place.desktop)
        timeline.say("Two devices, laptop and desktop, as two daemons \(place.phrase). Times are since the start.")

        timeline.heading("Start")
        for device in [laptop, desktop] {
            try device.startDaemon(["--kind", device.name] + place.options)
            timeline.note(device.name, "the daemon is up, pid \(device.daemon?.pid ?? 0)")
        }

        timeline.heading("Make them one person's devices")
        try laptop.handoff("account", "create")
        timeline.note("laptop", "made an account: it is the first device")
        let (invitation, inviting) = try laptop.inviteAsking()
        timeline.note("laptop", "shows a one-time code: \(invitation.code)")
        let (joining, number) = try desktop.joinShowingNumber(invitation.code, at: invitation.address)
        timeline.note("desktop", "has the code, over TLS on \(invitation.address), and shows the number \(number)")
        let same = try inviting.asked()
        guard same == number else { throw Unmet("the laptop shows the number \(same)") }
        try inviting.say("y")
        guard try joining.waitForExit() == 0 else { throw Unmet("the desktop did not join") }
        timeline.note("laptop", "shows the number \(same) too, so its person says yes: the desktop joined")

        timeline.heading("Sign MonkeyBrowser, and put it on both")
        let developer = try Developer(
            "Monkey Makers", team: app.team, in: stage.folder.appending(path: "developer"))
        timeline.note("developer", "made team \(developer.team), a key that apps are signed with")
        let signed = try developer.sign(app.claiming([Place.host], in: stage.folder))
        timeline.note("developer", "signed MonkeyBrowser")
        for device in [laptop, desktop] {
            try device.handoff("app", "install", signed.path, "--trust-team")
            timeline.note(device.name, "trusts that team, verified the signature and installed MonkeyBrowser")
        }

        timeline.heading("Do something on the laptop")
        let page = hasWindows ? try place.page("roasters", on: stage) : "https://\(Place.host)/roasters?open=now"
        let watch = try desktop.watchActivities()
        let browser = try laptop.open(app)
        try browser.output.next(starting: "ready", within: .seconds(30))
        timeline.note("laptop", "MonkeyBrowser is open")
        try browser.say("tab 3")
        try browser.say("go \(page)")
        try browser.output.next(starting: "current tab=3")
        timeline.note("laptop", "MonkeyBrowser, tab Coffee Break, went to \(page)")
        // A titled page is listed by its title.
        let title = hasWindows ? "Coffee roasters near you" : "Coffee Break Tab"
        try watch.output.next("the activity in the list", within: .seconds(30)) { $0.contains(title) }
        timeline.note("desktop", "lists \"\(title)\" of laptop")

        timeline.heading("Continue it on the desktop")
        let log = try desktop.log(of: app)
        let asked = timeline.now
        let report = try desktop.handoff("activity", "continue")
        timeline.note("desktop", "handoff activity continue, which says:")
        for line in report.split(separator: "\n") { timeline.detail(line) }
        try log.next(starting: "continuing tab=3", within: .seconds(30))
        timeline.note("desktop", "MonkeyBrowser was started and showed \"Continuing Activity...\" in Coffee Break")
        let continued = try log.next(starting: "continued tab=3")
        guard continued.hasSuffix(" url=\(page)") else { throw Unmet("the page is another: \(continued)") }
        timeline.note("desktop", "MonkeyBrowser, tab Coffee Break, shows \(page)")
        try browser.output.next(starting: "was-continued tab=3")
        timeline.note("laptop", "MonkeyBrowser was told that another device continued its page")

        let took = Int((timeline.now - asked) / .milliseconds(1))
        timeline.say("\nThe same page, in the same tab, on the other device: \(took) ms from the click to the end.")
        if let missing = Place.missing {
            timeline.say("\nA page of a web site that goes on in its app is not shown here: \(missing).")
        } else {
            try goOnWithPage(from: laptop, on: desktop, log, watch, timeline)
        }
        guard hasWindows, isatty(STDIN_FILENO) == 1 else { return }
        timeline.say("Close the laptop's window, the first one, to end.")
        _ = try? browser.waitForExit(within: .seconds(3600))
    }
    /// From any browser to the app of the site.
    private static func goOnWithPage(
        from laptop: Device, on desktop: Device, _ log: Transcript, _ watch: RunningProgram, _ timeline: Timeline
    ) throws {
        timeline.heading("Continue a web page in the app of its site")
        let page = "https://\(Place.host)/bread/"
        let title = "Bread, by hand"
        let published = try laptop.start(
            "activity", "publish", "--type", "NSUserActivityTypeBrowsingWeb", "--web", page, "--title", title)
        defer { published.stop() }
        timeline.note("laptop", "a browser shows \(page)")
        try watch.output.next("the page in the list", within: .seconds(30)) { $0.contains(title) }
        timeline.note("desktop", "lists \"\(title)\" of laptop; handoff web check says of it:")
        for line in try desktop.handoff("web", "check", page).split(separator: "\n") { timeline.detail(line) }
        let asked = timeline.now
        try desktop.handoff("activity", "continue")
        let continued = try log.next(starting: "continued tab=3", within: .seconds(30))
        guard continued.hasSuffix(" url=\(page)") else { throw Unmet("the page is another: \(continued)") }
        let took = Int((timeline.now - asked) / .milliseconds(1))
        timeline.note("desktop", "MonkeyBrowser shows \(page), as \(Place.host) and its makers say it may: \(took) ms")
    }
}
