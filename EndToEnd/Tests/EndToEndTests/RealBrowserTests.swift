// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The real Chromium and Firefox, each on its own device, with the extension. Shows L06.
@Suite(.serialized, .enabled(if: Device.missingBrowser == nil, "\(Device.missingBrowser ?? "")"))
struct RealBrowserTests {
    private let bound = Duration.seconds(15)

    // Shows L06, N02.
    @Test func aTabGoesFromChromiumToFirefoxAndBack() throws { try tabGoesThereAndBack(.checkout) }

    // Shows L06, L14: Debian's browsers find the package's extension without any setup.
    @Test(.enabled(if: geteuid() == 0, "this needs root"))
    func packageInstallsTheExtensionInBothBrowsers() throws { try tabGoesThereAndBack(.package) }

    private func tabGoesThereAndBack(_ source: ExtensionSource) throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let chromium = try Chromium(on: laptop, source: source)
            let firefox = try Firefox(on: desktop, source: source)
            let watch = try desktop.watchActivities()
            let page = server.page("roasters")
            try chromium.go(to: page)
            try chromium.scroll(to: 0.5, at: page)
            let line = try watch.output.next("the page in the list", within: bound) { $0.contains("Coffee roasters") }
            let offer = try #require(try JSON(text: line).elements.first)
            #expect(offer["appName"]?.string == "Chromium")
            #expect(offer["type"]?.string == "NSUserActivityTypeBrowsingWeb")
            #expect(offer["target"]?["kind"]?.string == "webPage")
            #expect(!line.contains(server.address), "its address stays at home")

            try desktop.handoff("activity", "continue")
            try firefox.waitForPlace(0.5, at: page)
            let tabs = try firefox.tabs().filter { $0 == page }
            #expect(tabs.count == 1)

            // And another page back, from the popup.
            let back = server.page("bread")
            try firefox.go(to: back)
            try chromium.openPopup(showing: "Banana bread")
            try chromium.pressInPopup("Enter", code: 13)
            try chromium.wait("the page to be opened", at: back, "document.readyState === 'complete'")
            let others = try chromium.tabs().filter { $0 == back }
            #expect(others.count == 1)
        }
    }

    // Shows M02: with the extension, in Chromium too. igrigorik/videospeed#934: in a shadow root; #726: in a frame.
    // Sv443/BetterYTM#85: the page remembers a position; james-fray/YouTube-No-Buffer#18: it waits for its user.
    @Test(arguments: ["", "?shadow", "?frame", "?advertisement", "?remembered", "?paused"])
    func filmInAPageContinuesAtTheSameSecondAndPausesAtTheOrigin(inside: String) throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let (chromium, firefox) = (try Chromium(on: laptop), try Firefox(on: desktop))
            let watch = try desktop.watchActivities()
            let (plays, pauses) = ("window.film && !film.paused && film.currentTime", "film.paused")

            let page = server.page("film") + inside
            try chromium.go(to: page)
            if inside == "?paused" { _ = try chromium.evaluate("film.play()", at: page) }
            try chromium.wait("the film to play", at: page, plays) { ($0.number ?? 0) > 0 }
            _ = try chromium.evaluate("film.currentTime = 31", at: page)
            try watch.output.next("the page in the list", within: bound) { $0.contains("How bread is made") }
            try desktop.handoff("activity", "continue")
            if inside == "?paused" {
                try firefox.wait("the film", at: page, "Boolean(window.film)")
                _ = try firefox.evaluate("film.play()", at: page)
            }
            try firefox.wait("the same second", at: page, plays) { (31..<120).contains($0.number ?? 0) }
            try chromium.wait("the film to pause", at: page, pauses)

            let back = page + "#again"
            try firefox.go(to: back)
            if inside == "?paused" { _ = try firefox.evaluate("film.play()", at: back) }
            try firefox.wait("the film to play again", at: back, plays) { ($0.number ?? 0) > 0 }
            _ = try firefox.evaluate("film.currentTime = 61", at: back)
            try chromium.openPopup(showing: "How bread is made")
            try chromium.pressInPopup("Enter", code: 13)
            if inside == "?paused" {
                try chromium.wait("the film", at: back, "Boolean(window.film)")
                _ = try chromium.evaluate("film.play()", at: back)
            }
            try chromium.wait("the same second", at: back, plays) { (61..<120).contains($0.number ?? 0) }
            try firefox.wait("the film to pause", at: back, pauses)
        }
    }

    // Shows L06, L14: the command finds the files that the browsers use.
    @Test(.enabled(if: geteuid() == 0, "this needs root"))
    func theCommandSaysWhatThePackageHasPut() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let home = try laptop.settleIn()
            for profile in [".config/chromium", ".config/mozilla/firefox"] {
                try FileManager.default.createDirectory(
                    at: home.appending(path: profile), withIntermediateDirectories: true)
            }
            for verb in ["status", "install"] {
                let said = try laptop.packaged("handoff", "browser", verb)
                #expect(
                    said.output.contains("Chromium\tinstalled for all users\t/etc/chromium/native-messaging-hosts/"))
                #expect(
                    said.output.contains("Firefox\tinstalled for all users\t/usr/lib/mozilla/native-messaging-hosts/"))
                let forAll = said.output.split(separator: "\n").filter { $0.hasSuffix("\tfor all users") }
                #expect(forAll.count == 2)
                #expect(said.errors == "", "nothing is left to be done")
            }
            let hosts = ".config/chromium/NativeMessagingHosts"
            #expect(!FileManager.default.fileExists(atPath: home.appending(path: hosts).path))
        }
    }

    // Shows L06: a page that leaves the front is withdrawn.
    @Test(arguments: ["chromium", "firefox"])
    func aPageThatIsLeftIsTakenBack(name: String) throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let browser: any RealBrowser = name == "chromium" ? try Chromium(on: laptop) : try Firefox(on: laptop)
            let watch = try desktop.watchActivities()
            for (page, title) in [("roasters", "Coffee roasters"), ("bread", "Banana bread")] {
                try browser.go(to: server.page(page))
                try watch.output.next("\(title) in the list", within: bound) { $0.contains(title) }
            }
            // One line for each page, and none in between.
            let shown = watch.output.lines.filter { $0.contains("Coffee roasters") }
            #expect(shown.count == 1)
            try browser.go(to: "about:blank")
            try watch.output.next("an empty list", within: bound) { $0 == "[]" }
        }
    }

    // Shows Q11: a web app's window is a browser window too.
    @Test func theWindowOfAWebAppIsOffered() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let watch = try desktop.watchActivities()
            let chromium = try Chromium(on: laptop, app: server.page("roasters"))
            try watch.output.next("the app's page in the list", within: bound) { $0.contains("Coffee roasters") }
            try chromium.go(to: server.page("bread"))
            try watch.output.next("its next page in the list", within: bound) { $0.contains("Banana bread") }
        }
    }

    // Shows Q11: reader view is an internal page of Firefox that hides the address.
    @Test func anArticleInReaderViewStaysOffered() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let firefox = try Firefox(on: laptop)
            let watch = try desktop.watchActivities()
            let article = server.page("walnuts")
            try firefox.go(to: article)
            try watch.output.next("the article in the list", within: bound) { $0.contains("On walnuts") }
            try firefox.enterReaderView()
            let script = try laptop.start(
                "activity", "publish", "--type", "com.example.notes.editing", "--title", "Afterwards")
            try script.output.next(starting: "offered")
            try watch.output.next("both", within: bound) { $0.contains("Afterwards") && $0.contains("On walnuts") }
            #expect(watch.output.count(containing: "[]") == 1, "it was never taken back")
            try firefox.go(to: server.page("bread"))
            try watch.output.next("the next page", within: bound) {
                $0.contains("Banana bread") && !$0.contains("On walnuts")
            }
        }
    }

    // Shows L06, G03, X11: nothing appears at the daemon or on the other device.
    @Test(arguments: ["chromium", "firefox"])
    func aPrivateWindowIsNeverOffered(name: String) throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let here = try laptop.start("activity", "list", "--watch", "--all", "--json")
            let there = try desktop.start("activity", "list", "--watch", "--all", "--json")
            if name == "chromium" {
                let chromium = try Chromium(on: laptop)
                try chromium.go(to: server.page("bread"))
                try there.output.next("the open page", within: bound) { $0.contains("Banana bread") }
                try chromium.openPrivately(server.page("roasters"))
                // Later messages arrive later.
                try chromium.go(to: server.page("tomorrow"))
            } else {
                let firefox = try Firefox(on: laptop, isPrivate: true)
                try firefox.go(to: server.page("roasters"))
                try firefox.go(to: server.page("tomorrow"))
                try firefox.go(to: server.page("roasters"))
            }
            let script = try laptop.start(
                "activity", "publish", "--type", "com.example.notes.editing", "--title", "Afterwards")
            try script.output.next(starting: "offered")
            for list in [here, there] {
                try list.output.next("what came afterwards", within: bound) { $0.contains("Afterwards") }
                #expect(list.output.count(containing: "Coffee roasters") == 0)
            }
            if name == "firefox" { #expect(here.output.count(containing: "BrowsingWeb") == 0) }
        }
    }

    // Shows X11, L06: with windows on a screen, one of which has the focus.
    @Test(.enabled(if: Self.hasScreen, "there is no Xvfb, or no xdotool"))
    func aPrivateWindowInFrontTakesThePageBack() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let screen = try Desktop(on: stage, in: laptop.root)
            let chromium = try Chromium(on: laptop, screen: screen)
            let list = try desktop.start("activity", "list", "--watch", "--all", "--json")
            try chromium.go(to: server.page("bread"))
            try screen.turn(to: "Banana bread")
            try list.output.next("the open page", within: bound) { $0.contains("Banana bread") }
            try chromium.openPrivately(server.page("roasters"))
            try screen.turn(to: "Coffee roasters")
            try list.output.next("an empty list", within: bound) { $0 == "[]" }
            try screen.turn(to: "Banana bread")
            try list.output.next("the open page again", within: bound) { $0.contains("Banana bread") }
            #expect(list.output.count(containing: "Coffee roasters") == 0)
        }
    }

    private static let hasScreen = ["Xvfb", "xdotool", "dbus-daemon"].allSatisfy { name in
        (try? RunningProgram.run(["sh", "-c", "command -v \(name)"]))?.code == 0
    }

    // Shows L06: after the end of a browser, of its host, and a restart of the daemon.
    @Test func theOfferMatchesTheFrontPageAfterAProcessDies() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let chromium = try Chromium(on: laptop)
            let watch = try desktop.watchActivities()
            try chromium.go(to: server.page("roasters"))
            try watch.output.next("the page", within: bound) { $0.contains("Coffee roasters") }

            let hosts = laptop.browserHosts()
            #expect(hosts.count == 1)
            for host in hosts { kill(host, SIGKILL) }
            try watch.output.next("the page to go with the host", within: bound) { $0 == "[]" }
            try watch.output.next("the page, by another host", within: bound) { $0.contains("Coffee roasters") }

            try laptop.killDaemon()
            try watch.output.next("the page to go with the daemon", within: bound) { $0 == "[]" }
            try laptop.startDaemon(Self.options)
            try watch.output.next("the page, to the next daemon", within: .seconds(30)) {
                $0.contains("Coffee roasters")
            }

            try chromium.kill()
            try watch.output.next("the page to go with the browser", within: bound) { $0 == "[]" }
            #expect(laptop.browserHosts().isEmpty)
        }
    }

    // Shows L06: titles are spaced out, and the newest one arrives.
    @Test func aPageThatChangesItsTitleAThousandTimesASecond() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let chromium = try Chromium(on: laptop)
            let watch = try desktop.watchActivities()
            let page = server.page("bread")
            try chromium.go(to: page)
            try watch.output.next("the page", within: bound) { $0.contains("Banana bread") }
            let storm = """
                new Promise((done) => { let n = 0; const t = setInterval(() => {
                    for (let i = 0; i < 10; i += 1) document.title = `Number ${n += 1}`;
                    if (n >= 2000) { clearInterval(t); document.title = "Quiet again"; done(true); }
                }, 10) })
                """
            _ = try chromium.evaluate(storm, at: page)
            try watch.output.next("the last title", within: bound) { $0.contains("Quiet again") }
            #expect(watch.output.count(containing: "Number") <= 4, "\(watch.output.count(containing: "Number"))")
        }
    }

    // Shows L06: with the keyboard only, with a screen reader, and with messages for missing parts.
    @Test func thePopupIsForEverybody() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            try laptop.startDaemon(Self.options)
            let chromium = try Chromium(on: laptop)
            try chromium.openPopup(showing: "account create")
            try laptop.handoff("account", "create")
            let desktop = try Device("desktop", on: stage)
            try desktop.startDaemon(Self.options)
            let invitation = try laptop.invite()
            try desktop.join(invitation.code, at: invitation.address)
            let watch = try laptop.watchActivities()
            for title in ["First", "Second"] {
                _ = try desktop.start(
                    "activity", "publish", "--type", "com.example.notes.editing", "--title", title, "--web",
                    "https://notes.example/\(title)", "--name", "Notes")
                try watch.output.next("\(title) in the list", within: bound) { $0.contains(title) }
            }
            let popup = "document.body.innerText"
            try chromium.waitInPopup("both in the popup", popup) {
                $0.string?.contains("First") == true && $0.string?.contains("Second") == true
            }
            let told = try chromium.accessiblePopup()
            #expect(told.contains("heading: On your other devices"))
            #expect(told.contains { $0.hasPrefix("list") })
            #expect(told.contains { $0.hasPrefix("button: Second Notes · desktop · now Continue") }, "\(told)")
            let focused = "document.activeElement.querySelector('.title')?.textContent"
            try chromium.pressInPopup("ArrowDown", code: 40)
            try chromium.waitInPopup("the second line to have the keyboard", focused) { $0 == "First" }
            try chromium.pressInPopup("ArrowUp", code: 38)
            try chromium.waitInPopup("the first line to have the keyboard", focused) { $0 == "Second" }

            try laptop.killDaemon()
            try chromium.waitInPopup("that Handoff is not running", popup) {
                $0.string?.contains("Handoff is not running.") == true
            }
        }
    }

    // Shows L06, W04: also to a device that is away, and without offering the page, whose site is excluded.
    @Test func pageIsSentFromThePopup() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let server = try WebServer(on: stage)
            let chromium = try Chromium(on: laptop)
            let watch = try desktop.watchActivities()
            try chromium.go(to: server.page("roasters"))
            try watch.output.next("the offered page", within: bound) { $0.contains("Coffee roasters") }
            try chromium.openPopupOverTab(showing: "Send this page to…")
            _ = try chromium.popup("document.getElementById('offered').click()")
            try watch.output.next("an empty list", within: bound) { $0 == "[]" }

            func send(showing text: String) throws {
                try chromium.pressInPopup("Send this page to…")
                try chromium.pressInPopup("desktop")
                try chromium.waitInPopup(text, "document.getElementById('sent').textContent") {
                    $0.string?.contains(text) == true
                }
            }
            try send(showing: "Sent to desktop.")
            let line = try watch.output.next("the sent page", within: bound) { $0.contains("Coffee roasters") }
            let isSent = try JSON(text: line).elements.map { $0["sent"] }
            #expect(isSent == [.bool(true)])

            try desktop.killDaemon()
            try chromium.waitInPopup("the device to be away", "document.getElementById('devices').textContent") {
                $0.string?.contains("gets it later") == true
            }
            try send(showing: "desktop gets it when it connects.")
            try chromium.pressInPopup("Take Back")
            try chromium.waitInPopup("that it is taken back", "document.getElementById('sent').textContent") {
                $0.string?.contains("Taken back") == true
            }
            #expect(try laptop.json("activity", "outbox").elements.isEmpty)
        }
    }

    // Shows L06, L17: an app's own icon, and a drawn one for pages, each with the kind of the device.
    @Test func popupShowsTheIconsOfApps() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            try laptop.install(.monkeyBrowser)
            try desktop.install(.monkeyBrowser)
            let watch = try laptop.watchActivities()
            _ = try desktop.start(
                "activity", "publish", "--type", "NSUserActivityTypeBrowsingWeb", "--title", "Bread", "--web",
                "https://bread.example/", "--name", "Chromium")
            let monkey = try desktop.open(.monkeyBrowser)
            try monkey.output.next(starting: "ready")
            try monkey.say("go https://weather.example/tomorrow")
            try watch.output.next("both in the list", within: bound) {
                $0.contains("Weather Tab") && $0.contains("Bread")
            }
            let chromium = try Chromium(on: laptop)
            try chromium.openPopup(showing: "Weather Tab")
            let icons = """
                [...document.querySelectorAll('.offer')].map(row => row.querySelector('.title').textContent + ': ' +
                (row.querySelector('img')?.naturalWidth > 0 ? 'picture' : 'drawing') + ' ' +
                row.querySelectorAll('.emblem').length).join(', ')
                """
            try chromium.waitInPopup("the app's icon", icons) { $0 == "Weather Tab: picture 1, Bread: drawing 1" }
        }
    }

    // Shows G05: new entries appear at the end, ended entries stay, and the order is restored when the pointer leaves.
    @Test func popupKeepsItsOrderUnderThePointer() throws {
        try Stage.play { stage in
            let (laptop, desktop) = try Self.devices(on: stage)
            let watch = try laptop.watchActivities()
            func publish(_ title: String) throws -> RunningProgram {
                let program = try desktop.start(
                    "activity", "publish", "--type", "com.example.notes.editing", "--title", title, "--web",
                    "https://notes.example/\(title)", "--name", "Notes")
                try watch.output.next("\(title) in the list", within: bound) { $0.contains(title) }
                return program
            }
            let first = try publish("First")
            _ = try publish("Second")
            let chromium = try Chromium(on: laptop)
            try chromium.openPopup(showing: "First")
            let titles = """
                [...document.querySelectorAll('.offer')].map(line => (line.disabled ? '-' : '') + \
                line.querySelector('.title').textContent).join(' ')
                """
            try chromium.waitInPopup("both lines", titles) { $0 == "Second First" }
            try chromium.pointInPopup(at: ".offer")
            // styly-dev/STYLY-MDM#81: a press ended on another element than it had begun on.
            _ = try chromium.popup("window.pressed = [...document.querySelectorAll('.offer')][0]; true")
            _ = try publish("Third")
            try chromium.waitInPopup("the new one at the end", titles) { $0 == "Second First Third" }
            let isPressed = "window.pressed.isConnected"
            try chromium.waitInPopup("the line that is being pressed", isPressed) { $0 == .bool(true) }
            first.stop()
            try chromium.waitInPopup("the one that is gone in its place", titles) { $0 == "Second -First Third" }
            try chromium.pointInPopup(at: "h1")
            try chromium.waitInPopup("the order of the list", titles) { $0 == "Third Second" }
        }
    }

    private static let options = ["--listen", "127.0.0.1:0", "--beacons", "false"]

    /// Two devices on one machine, in one account.
    private static func devices(on stage: Stage) throws -> (laptop: Device, desktop: Device) {
        let (laptop, desktop) = (try Device("laptop", on: stage), try Device("desktop", on: stage))
        for device in [laptop, desktop] { try device.startDaemon(options) }
        try laptop.handoff("account", "create")
        let invitation = try laptop.invite()
        try desktop.join(invitation.code, at: invitation.address)
        return (laptop, desktop)
    }
}
