// SPDX-License-Identifier: Apache-2.0

import RealDevices
import Testing

/// MonkeyBrowser with windows: real pages, typed addresses, and the pages' own titles.
@Suite(.serialized, .needsNamespaces) struct WindowTests {
    private static let weather = "Weather in Harbour Town"
    private static let coffee = "Coffee roasters near you"
    /// The background next to the text; the picture above it is scrolled away.
    private static let paper = "#FDF8F1"
    /// WebKit starts several processes for a page.
    private static let patience = Duration.seconds(40)

    // Shows L07, R04, R05, B06, B23, H01, H03, L15.
    @Test func aPageThatWasTypedHereIsShownThereAtTheSamePlace() throws {
        try Stage.play { stage in
            let pair = try Windows(on: stage)
            let address = pair.server.page("tomorrow")
            let browser = try pair.open()
            try pair.laptopDesktop.press("ctrl+1", "ctrl+l")
            try pair.laptopDesktop.type(address)
            try pair.laptopDesktop.press("Return")
            try browser.output.next(starting: "current tab=1 url=\(address)")
            try browser.output.next(
                starting: "loaded tab=1 url=\(address) scroll=0,0 title=\(Self.weather)", within: Self.patience)
            try browser.say("scroll 340")
            try browser.output.next(starting: "page tab=1 url=\(address) scroll=0,340")
            // The page reports it when it is next drawn. Only then is the saved position known to be old.
            try browser.output.next(starting: "scrolled tab=1", within: Self.patience)

            let watch = try pair.desktop.watchActivities()
            try watch.output.next("the title of the page") { $0.contains(Self.weather) }
            let log = try pair.desktop.log(of: .monkeyBrowserWindow)
            try pair.desktop.handoff("activity", "continue", within: Self.patience)
            try log.next(starting: "continuing tab=1")
            try log.next(starting: "continued tab=1 url=\(address)")
            try log.next(
                starting: "loaded tab=1 url=\(address) scroll=0,340 title=\(Self.weather)", within: Self.patience)
            try log.next(starting: "scrolled tab=1")
            try pair.desktopDesktop.wait(for: Self.paper, at: (30, 150))
            try browser.output.next(starting: "saving tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(log.count(starting: "failed") == 0)

            // And back, from the new scroll position.
            try pair.desktopDesktop.turn(to: Self.weather)
            try pair.desktopDesktop.press("End")
            try log.next(starting: "scrolled tab=1")
            let back = try pair.laptop.watchActivities()
            try back.output.next("the desktop's page") { $0.contains("\"deviceName\":\"desktop\"") }
            try pair.laptop.handoff("activity", "continue", within: Self.patience)
            let end = try browser.output.next("the end of the page", within: Self.patience) {
                $0.hasPrefix("loaded tab=1 url=\(address)")
            }
            #expect(!end.contains("scroll=0,340") && !end.contains("scroll=0,0 "), "\(end)")
        }
    }

    // Shows L07, R01, R06, R08, B01: the offered page is the front page of the window that the user turned to.
    @Test func theMainWindowsPageIsOffered() throws {
        try Stage.play { stage in
            let pair = try Windows(on: stage)
            let watch = try pair.desktop.watchActivities()
            let browser = try pair.open()
            try browser.say("go \(pair.server.page("tomorrow"))")
            try browser.output.next(starting: "loaded tab=1", within: Self.patience)
            try watch.output.next("the page of the first window") { $0.contains(Self.weather) }

            try pair.laptopDesktop.press("ctrl+n")
            try browser.output.next(starting: "opened window=2")
            try pair.laptopDesktop.turn(to: "^Weather — MonkeyBrowser")
            try browser.output.next(starting: "main window=2 tab=1 url=-")
            try pair.laptopDesktop.press("ctrl+3", "ctrl+l")
            try pair.laptopDesktop.type(pair.server.page("roasters"))
            try pair.laptopDesktop.press("Return")
            try browser.output.next(starting: "loaded tab=3", within: Self.patience)
            try watch.output.next("the page of the second window") { $0.contains(Self.coffee) }

            try pair.laptopDesktop.turn(to: Self.weather)
            try browser.output.next(starting: "main window=1 tab=1")
            try watch.output.next("the page of the first window again") {
                $0.contains(Self.weather) && !$0.contains(Self.coffee)
            }
            try pair.laptopDesktop.turn(to: Self.coffee)
            try watch.output.next("the page of the second window again") {
                $0.contains(Self.coffee) && !$0.contains(Self.weather)
            }
            try pair.laptopDesktop.press("ctrl+w")
            try browser.output.next(starting: "closed window=2")
            try watch.output.next("the page of the window that is left") {
                $0.contains(Self.weather) && !$0.contains(Self.coffee)
            }
        }
    }
}

/// A person's two devices with a screen each, and a web server on their network.
private struct Windows {
    let laptop: Device
    let desktop: Device
    let laptopDesktop: Desktop
    let desktopDesktop: Desktop
    let server: WebServer

    init(on stage: Stage) throws {
        let pair = try Pair(offOn: stage)
        laptop = pair.laptop
        desktop = pair.desktop
        laptopDesktop = try laptop.startDesktop()
        desktopDesktop = try desktop.startDesktop()
        server = try WebServer(
            on: Device("web", on: stage, network: pair.network), of: pair.network, named: "harbour.example")
        try pair.begin(with: [.monkeyBrowserWindow])
    }

    /// MonkeyBrowser on the laptop, with the focus.
    func open() throws -> RunningProgram {
        let browser = try laptop.open(.monkeyBrowserWindow)
        try browser.output.next(starting: "ready", within: .seconds(20))
        try laptopDesktop.turn(to: "MonkeyBrowser")
        try browser.output.next(starting: "main window=1")
        return browser
    }
}
