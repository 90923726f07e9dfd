// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffClient
import HandoffIcons
import HandoffStrings
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Icons with the emblem of the device's kind, in lists that take finished pictures. `IconDrawingTests` draws them.
// Shows L17.
@Suite(.timeLimit(.minutes(1))) struct ComposedIconsTests {
    private static let picture = DrawnIcon(
        size: ComposedIcons.size,
        pixels: (0..<4 * ComposedIcons.size * ComposedIcons.size).map { UInt8(truncatingIfNeeded: $0) },
        png: Array("picture".utf8))

    private static let draw: ComposedIcons.Draw = { batch in
        Dictionary(uniqueKeysWithValues: batch.map { ($0, picture) })
    }

    private static func news(of kind: DeviceKind = .laptop) throws -> ListedActivity {
        var activity = try ListedActivity.sample(1, "News", target: .webPage)
        activity.deviceKind = kind
        return activity
    }

    // Shows L12.
    @Test func itemOfTheTraysMenuGetsItsPictureLater() async throws {
        try await withPrivateBus { fixture, bus in
            let (host, tray) = (
                try await fixture.connect(to: bus.address), try await fixture.connect(to: bus.address)
            )
            let (news, strings) = (try Self.news(), LocalizedStrings(.english))
            let icons = AppIcons(.silent(on: fixture.loop), draw: Self.draw, on: fixture.loop)
            let menu = try TrayMenu(on: try #require(tray.connection))
            let entry = TrayLines.Entry.activity(news, isGone: false)
            menu.items = { [(Int32(16), entry.properties(strings, icons, at: news.offer.since))] }
            menu.changed()
            host.kept = [
                try #require(host.connection).onSignal(
                    "com.canonical.dbusmenu", "ItemsPropertiesUpdated", "a(ia{sv})a(ias)",
                    from: try #require(tray.connection).uniqueName
                ) { [unowned host] in host.hears($0) }
            ]
            _ = await host.call(.bus("GetId", []), isolation: fixture)
            #expect(menu.items().first?.properties["icon-name"] == .string("web-browser"))
            await icons.drawn([news])
            menu.changed()
            try await host.wait(isolation: fixture) { !$0.heard.isEmpty }
            let item = host.heard[0][0]?.elements?.first?.elements
            #expect(item?[0] == .int32(16))
            #expect(item?[1].properties?["icon-data"]?.bytes == Self.picture.png)
            // Hosts prefer a name that remains.
            #expect(host.heard[0][1]?.elements == [.structure([.int32(16), .strings(["icon-name"])])])
        }
    }

    // Shows L11.
    @Test func resultOfKRunnerHasPixels() async throws {
        try await withPrivateBus { fixture, bus in
            let (shell, runner) = (
                try await fixture.connect(to: bus.address), try await fixture.connect(to: bus.address)
            )
            let (news, unknown) = (try Self.news(), try Self.news(of: .unspecified))
            let icons = AppIcons(.silent(on: fixture.loop), draw: Self.draw, on: fixture.loop)
            let offers = SearchedOffers(on: fixture.loop)
            let daemon = DaemonClient.silent(on: fixture.loop)
            let found = DesktopSearch(
                offers, daemon: daemon, continuing: ActivityContinuing(DesktopContinuation(by: daemon)),
                window: HandoffWindow(), icons: icons, on: fixture.loop)
            let search = RunnerSearch(found, icons: icons, strings: DesktopStrings([:]))
            search.busConnected(try #require(runner.connection))
            try await shell.waits(for: RunnerSearch.name, isolation: fixture)
            await icons.drawn([news, unknown])
            for (offer, pixels) in [(news, Self.picture.pixels), (unknown, nil)] {
                offers.offersChanged([offer])
                let answer = try await shell.asks(
                    RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Match", [.string("news")],
                    isolation: fixture)
                let match = answer[0]?.elements?.first?.elements
                #expect(match?[2].text == "web-browser")
                let data = match?[5].properties?["icon-data"]
                #expect(data?.type == (pixels == nil ? nil : Self.picture.busPixels.type))
                #expect(data?.elements?.last?.bytes == pixels)
            }
        }
    }

    /// The first list does not wait for drawing, and nothing is notified twice.
    // Shows L01.
    @Test func laterNotificationHasPixels() async throws {
        let folder = try UserFolder()
        try await withPrivateBus { fixture, bus in
            let server = NoticeServer(try await fixture.connect(to: bus.address))
            try server.begin()
            let gate = DispatchSemaphore(value: 0)
            let (batches, began) = AsyncStream.makeStream(of: [IconDrawing].self)
            let draw: ComposedIcons.Draw = { batch in
                began.yield(batch)
                gate.wait()
                return Self.draw(batch)
            }
            let daemon = ScriptedDaemon()
            let user = NotifiedUser(at: bus.address, daemon, folder: folder.path, draw: draw, on: fixture.loop)
            var next = batches.makeAsyncIterator()
            daemon.offer([Articles.article(1)])
            let first = await next.next()
            #expect(Set(first?.map(\.emblem) ?? []) == ["org.handoff.Handoff.laptop-emblem"])
            #expect(first?.map(\.size) == [ComposedIcons.size, ComposedIcons.menuSize])
            try await server.waits(forShown: 1, isolation: fixture)
            var other = Articles.article(2)
            other.deviceKind = .phone
            daemon.offer([other])
            try await server.waits(forShown: 2, isolation: fixture)
            gate.signal()
            // The first icon is known before the second is drawn.
            let second = await next.next()
            #expect(Set(second?.map(\.emblem) ?? []) == ["org.handoff.Handoff.phone-emblem"])
            daemon.offer([Articles.article(3)])
            try await server.waits(forShown: 3, isolation: fixture)
            #expect(server.shown.map { $0.hints["image-data"] != nil } == [false, false, true])
            #expect(server.shown[2].hints["image-data"] == Self.picture.busPixels)
            #expect(server.shown[2].hints["image-path"]?.text == "com.example.reader")
            gate.signal()
            withExtendedLifetime(user) {}
        }
    }
}

extension AppIcons {
    /// Returns once the icons of these offers are drawn.
    fileprivate func drawn(_ offers: [ListedActivity]) async {
        await withCheckedContinuation { done in
            changed = { done.resume() }
            prepare(offers) {}
        }
        changed = {}
    }
}

extension DaemonClient {
    /// Not connected.
    fileprivate static func silent(on loop: BusLoop) -> DaemonClient {
        DaemonClient(
            ScriptedDaemon(), hello: LocalHello(role: .control, name: DisplayText(cleaning: "test")), on: loop)
    }
}
