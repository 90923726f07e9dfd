// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Notifications for the user of a real desktop: real daemons, a real bus, and common notification servers.
@Suite(.serialized, .needsNamespaces) struct NotificationTests {
    private static let icons = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Desktop/share").path

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

    // Shows L01, L17: finished pixels, drawn with the user's theme while the first notification was shown.
    @Test(arguments: NotificationServer.Kind.allCases.filter(\.isInstalled))
    func nextNotificationShowsTheKindOfTheDevice(kind: NotificationServer.Kind) throws {
        try play(kind, options: ["--kind", "laptop"]) { pair, server, bus in
            for title in ["Bread", "Butter"] {
                _ = try pair.laptop.start(
                    "activity", "publish", "--type", "NSUserActivityTypeBrowsingWeb", "--title", title, "--web",
                    "https://food.example/\(title)", "--name", "Firefox")
                try server.next(title)
            }
            try server.said.output.next("pixels") { $0.contains("\"image-data\"") }
            #expect(server.said.output.count(containing: "\"image-data\"") == 1)
            #expect(bus.errors.text.isEmpty, "\(bus.errors.text)")
        }
    }

    private func play(
        _ kind: NotificationServer.Kind, options: [String] = [],
        _ story: (Pair, NotificationServer, RunningProgram) throws -> Void
    ) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            let screen = try pair.desktop.startDesktop()
            // With the emblems of kinds.
            pair.desktop.environment["XDG_DATA_DIRS"] = Self.icons + ":/usr/share"
            try pair.begin(options: options)
            let server = try NotificationServer(kind, on: screen, of: stage)
            let bus = try pair.desktop.startBus()
            try story(pair, server, bus)
        }
    }
}
