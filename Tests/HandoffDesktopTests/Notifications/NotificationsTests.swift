// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// The feature on a real bus, with a server under the test's control. Shows L01.
@Suite(.timeLimit(.minutes(1))) struct NotificationsTests {
    private func play(
        settings: String? = nil,
        _ body: @Sendable (isolated BusFixture, PrivateBus, ScriptedDaemon, UserFolder) async throws -> Void
    ) async throws {
        let folder = try UserFolder()
        if let settings { try folder.set(settings) }
        try await withPrivateBus { fixture, bus in try await body(fixture, bus, ScriptedDaemon(), folder) }
    }

    // Shows L01, B15.
    @Test func continueOnItContinuesAndItGoesAway() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.willAnswer(.success(Articles.outcome))
            daemon.offer([Articles.article(1, "Rain & <b>wind</b>")])
            try await server.waits(forShown: 1, isolation: fixture)
            #expect(server.shown[0].summary == "Rain & <b>wind</b>")
            #expect(server.shown[0].body == "Reader on Anna&apos;s laptop")
            #expect(
                server.shown[0].actions == [
                    "default", "Continue", "continue", "Continue", "fewer", "Fewer of These",
                ])
            #expect(server.shown[0].hints["desktop-entry"]?.text == "org.handoff.Handoff")
            #expect(server.shown[0].hints["image-path"]?.text == "com.example.reader")
            #expect(server.shown[0].hints["transient"]?.flag == true)
            server.press(server.shown[0].id, token: "token")
            var starts = daemon.starts.makeAsyncIterator()
            let start = await starts.next()
            #expect(start?.activity == Articles.article(1).offer.activity)
            #expect(start?.device == Articles.article(1).device)
            try await server.waits(forClosed: 1, isolation: fixture)
            #expect(server.closed == [server.shown[0].id])
            withExtendedLifetime(user) {}
        }
    }

    // Shows L01: six languages.
    @Test func itSpeaksTheLanguageOfItsUser() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = NotifiedUser(
                at: bus.address, daemon, folder: folder.path, environment: ["LANG": "de_AT.UTF-8"], on: fixture.loop)
            daemon.offer([Articles.article(1, "Wetter")])
            try await server.waits(forShown: 1, isolation: fixture)
            #expect(server.shown[0].body == "Reader auf Anna&apos;s laptop")
            #expect(server.shown[0].actions.last == "Weniger davon")
            #expect(server.shown[0].actions.prefix(2) == ["default", "Fortsetzen"])
            withExtendedLifetime(user) {}
        }
    }

    @Test func aFailureIsToldInItsPlaceAndTriedAgain() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.willAnswer(.failure(Failure(.deviceLost, "the connection ended")))
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            server.press(1, "default")
            try await server.waits(forShown: 2, isolation: fixture)
            #expect(server.shown[1].replaced == 1)
            #expect(server.shown[1].summary == "Could not continue “Weather”")
            #expect(
                server.shown[1].body
                    == """
                    Reader on Anna&apos;s laptop
                    The connection to the other device was lost. Check that it is on and on the same network, \
                    then try again.
                    """)
            #expect(server.shown[1].actions.contains("Try Again"))
            // Most servers close a notification after a click.
            daemon.willAnswer(.success(Articles.outcome))
            server.press(1)
            server.close(1)
            var starts = daemon.starts.makeAsyncIterator()
            #expect(await starts.next() != nil)
            #expect(await starts.next() != nil)
            withExtendedLifetime(user) {}
        }
    }

    @Test func notificationSignalsOfStrangersAreIgnored() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            let stranger = try await fixture.connect(to: bus.address)
            for (signal, value) in [("ActionInvoked", BusValue.string("continue")), ("NotificationClosed", .uint32(2))]
            {
                stranger.connection?.emit(NoticeServer.path, NoticeServer.name, signal, [.uint32(1), value])
            }
            // The bus preserves the order of each sender, so a signal would have arrived by now.
            _ = await stranger.call(.bus("GetId", []), isolation: fixture)
            server.press(77)
            server.press(1, "snooze")
            daemon.offer([])
            try await server.waits(forClosed: 1, isolation: fixture)
            #expect(server.closed == [1])
            let starts = daemon.asked.count { if case .continuation = $0 { true } else { false } }
            #expect(starts == 0)
            withExtendedLifetime((user, stranger)) {}
        }
    }

    @Test func notificationsMoveFromAHungServerToTheNext() async throws {
        try await play { fixture, bus, daemon, folder in
            let first = try await fixture.server(at: bus.address) { $0.hangs = true }
            let user = fixture.user(at: bus.address, daemon, folder.path)
            for number in 1...5 as ClosedRange<UInt8> { daemon.offer([Articles.article(number, "Article \(number)")]) }
            // After the answer's time limit, only the newest notification is sent again.
            try await first.waits(forShown: 2, isolation: fixture)
            #expect(first.shown.dropFirst().allSatisfy { $0.summary == "Article 5" })
            first.end()
            let second = try await fixture.server(at: bus.address)
            try await second.waits(forShown: 1, isolation: fixture)
            #expect(second.shown[0].summary == "Article 5")
            withExtendedLifetime(user) {}
        }
    }

    @Test func aServerThatDiesIsFollowedByAnotherThatIsNotToldTwice() async throws {
        try await play { fixture, bus, daemon, folder in
            let first = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await first.waits(forShown: 1, isolation: fixture)
            first.end()
            let second = try await fixture.server(at: bus.address)
            daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
            try await second.waits(forShown: 1, isolation: fixture)
            #expect(second.shown.map(\.summary) == ["Tides"])
            #expect(second.shown[0].replaced == 0)
            withExtendedLifetime(user) {}
        }
    }

    @Test func aServerThatComesLaterIsToldWhatThereIs() async throws {
        try await play { fixture, bus, daemon, folder in
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            let server = try await fixture.server(at: bus.address) { $0.capabilities = ["body"] }
            try await server.waits(forShown: 1, isolation: fixture)
            #expect(server.shown[0].actions.isEmpty)
            #expect(
                server.shown[0].body
                    == "Reader on Anna's laptop\nTo continue here, run this in a terminal: handoff activity continue")
            withExtendedLifetime(user) {}
        }
    }

    @Test func doNotDisturbSuppressesNotifications() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            server.isInhibited = true
            daemon.offer([])
            try await server.waits(forClosed: 1, isolation: fixture)
            daemon.offer([Articles.article(2, "Tides")])
            daemon.offer([Articles.article(3, "Moon")])
            server.isInhibited = false
            try await server.waits(forShown: 2, isolation: fixture)
            #expect(server.shown[1].summary == "Moon")
            withExtendedLifetime(user) {}
        }
    }

    @Test func seenNotificationsStayHiddenAfterARestart() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            var user: NotifiedUser? = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            // The first answer is processed before the next request.
            daemon.offer([Articles.article(1, "Weather, updated")])
            try await server.waits(forShown: 2, isolation: fixture)
            withExtendedLifetime(user) {}
            user = nil
            let next = ScriptedDaemon(offering: [Articles.article(2, "Tides"), Articles.article(1)])
            user = fixture.user(at: bus.address, next, folder.path)
            try await server.waits(forShown: 3, isolation: fixture)
            #expect(server.shown[2].summary == "Tides")
            next.offer([Articles.article(1)])
            try await server.waits(forClosed: 1, isolation: fixture)
            next.offer([Articles.article(3, "Moon"), Articles.article(1)])
            try await server.waits(forShown: 4, isolation: fixture)
            #expect(server.shown[3].summary == "Moon")
            withExtendedLifetime(user) {}
        }
    }

    @Test func aDaemonThatIsStartedAgainShowsNothingAgain() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            daemon.vanish()
            try await server.waits(forClosed: 1, isolation: fixture)
            daemon.appear()
            daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
            try await server.waits(forShown: 2, isolation: fixture)
            #expect(server.shown[1].summary == "Tides")
            withExtendedLifetime(user) {}
        }
    }

    @Test func aRestartedBusGetsNoRepeatedNotification() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            // The first answer has arrived by then.
            daemon.offer([Articles.article(1, "Weather, updated")])
            try await server.waits(forShown: 2, isolation: fixture)
            await bus.kill()
            try await server.guest.wait(isolation: fixture) { $0.ends == 1 }
            let second = try await PrivateBus(socket: bus.folder + "/bus")
            try await server.guest.connected(isolation: fixture)
            try server.begin()
            daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
            try await server.waits(forShown: 3, isolation: fixture)
            #expect(server.shown[2].summary == "Tides")
            #expect(server.shown[2].replaced == 0)
            withExtendedLifetime((user, second)) {}
        }
    }

    @Test func settingsCountAtOnce() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            try folder.set(#""notifications": "off""#)
            try await server.waits(forClosed: 1, isolation: fixture)
            withExtendedLifetime(user) {}
        }
    }

    // Shows L01.
    @Test func fewerSwitchesTheDeviceOff() async throws {
        try await play(settings: #""tray": "off""#) { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            server.press(1, "fewer")
            try await server.waits(forClosed: 1, isolation: fixture)
            let written = try String(contentsOfFile: folder.path + "/config/config.json", encoding: .utf8)
            let id = Articles.article(1).device.description.lowercased().prefix(7)
            #expect(written.contains(#""notifications.device.\#(id)": "off""#))
            #expect(written.contains(#""tray": "off""#))
            let starts = daemon.asked.count { if case .continuation = $0 { true } else { false } }
            #expect(starts == 0)
            withExtendedLifetime(user) {}
        }
    }

    @Test func fewerThatCannotBeSavedSaysWhy() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            try folder.set("oops")
            server.press(1, "fewer")
            try await server.waits(forShown: 2, isolation: fixture)
            #expect(server.shown[1].replaced == 1)
            #expect(server.shown[1].summary.contains("could not be saved"))
            withExtendedLifetime(user) {}
        }
    }

    @Test func settingsThatCannotBeUnderstoodChangeNothing() async throws {
        try await play(settings: #""notifications.device.Anna's laptop": "quiet""#) { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            try folder.set("oops")
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            #expect(server.shown[0].hints["transient"]?.flag == true)
            #expect(server.shown[0].hints["suppress-sound"]?.flag == true)
            #expect(server.shown[0].hints["urgency"] == .byte(0))
            try folder.set(#""notifications": "off", "notifications.device.anna's laptop": "off""#)
            try await server.waits(forClosed: 1, isolation: fixture)
            withExtendedLifetime(user) {}
        }
    }

    // Shows L13.
    @Test func absentUserHasNoNotificationsLeft() async throws {
        try await play { fixture, bus, daemon, folder in
            let server = try await fixture.server(at: bus.address)
            let user = fixture.user(at: bus.address, daemon, folder.path)
            daemon.offer([Articles.article(1)])
            try await server.waits(forShown: 1, isolation: fixture)
            user.feature.presenceChanged(isAway: true)
            try await server.waits(forClosed: 1, isolation: fixture)
            daemon.offer([Articles.article(2, "Tides")])
            daemon.offer([Articles.article(3, "Moon")])
            // Both have arrived when the bus answers.
            _ = await server.guest.call(.bus("GetId", []), isolation: fixture)
            user.feature.presenceChanged(isAway: false)
            try await server.waits(forShown: 2, isolation: fixture)
            #expect(server.shown[1].summary == "Moon")
            withExtendedLifetime(user) {}
        }
    }
}

extension BusFixture {
    fileprivate func user(at address: String, _ daemon: ScriptedDaemon, _ folder: String) -> NotifiedUser {
        NotifiedUser(at: address, daemon, folder: folder, on: loop)
    }
}
