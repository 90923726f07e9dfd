// SPDX-License-Identifier: Apache-2.0

import RealDevices
import Testing

/// Notifications for the user of a real desktop: real daemons, a real bus, and common notification servers.
@Suite(.serialized, .needsNamespaces) struct NotificationTests {
    // Shows L01, B15.
    @Test func continueOnANotificationContinuesInTheApp() throws {
        try play(.mock) { pair, server, bus in
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try server.next(Pair.title)
            try server.next("MonkeyBrowser on laptop")
            try server.pressContinue()
            #expect(try log.next(starting: "continued tab=1") == "continued tab=1 url=\(Pair.page)")
            try browser.output.next(starting: "was-continued tab=1")
            try server.said.output.next("that it is closed") { $0.contains("member=CloseNotification") }
            #expect(bus.errors.text.isEmpty, "\(bus.errors.text)")
        }
    }

    // Shows L01.
    @Test func itGoesAwayWhenTheActivityDoes() throws {
        try play(.mock) { pair, server, _ in
            let script = try pair.offer("Shopping")
            try #require(try pair.desktop.json("activity", "list").elements.count == 1)
            script.stop()
            // An activity that only a script can continue is not shown; an app's is.
            let browser = try pair.browse()
            try server.next(Pair.title)
            #expect(server.said.output.count(containing: "Shopping") == 0)
            try browser.say("close")
            try server.said.output.next("that it is closed") { $0.contains("member=CloseNotification") }
        }
    }

    // Shows L01, B15.
    @Test(arguments: NotificationServer.Kind.allCases.filter { $0 != .mock && $0.isInstalled })
    func everyServerShowsWhatTheOtherDeviceOffers(kind: NotificationServer.Kind) throws {
        try play(kind) { pair, server, bus in
            let browser = try pair.browse()
            let log = try pair.desktop.log(of: .monkeyBrowser)
            try server.next(Pair.title)
            try server.pressContinue()
            try log.next(starting: "continued tab=1")
            try browser.output.next(starting: "was-continued tab=1")
            #expect(bus.errors.text.isEmpty, "\(bus.errors.text)")
        }
    }

    private func play(
        _ kind: NotificationServer.Kind,
        _ story: (Pair, NotificationServer, RunningProgram) throws -> Void
    ) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let screen = try pair.desktop.startDesktop()
            try pair.begin()
            let server = try NotificationServer(kind, on: screen, of: stage)
            let bus = try pair.desktop.startBus()
            try story(pair, server, bus)
        }
    }
}
