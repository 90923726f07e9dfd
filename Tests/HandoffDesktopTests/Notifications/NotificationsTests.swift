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
        _ story: @Sendable (BusFixture, PrivateBus, ScriptedDaemon, UserFolder) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let folder = try UserFolder()
        if let settings { try folder.set(settings) }
        try await story(fixture, bus, ScriptedDaemon(), folder)
        await fixture.stop()
        withExtendedLifetime((bus, folder)) {}
    }

    // Shows L01, B15.
    @Test func continueOnItContinuesAndItGoesAway() async throws {
        try await play { try await $0.continueIsPressed(at: $1.address, $2, $3.path) }
    }

    // Shows L01: six languages.
    @Test func itSpeaksTheLanguageOfItsUser() async throws {
        try await play { try await $0.germanIsSpoken(at: $1.address, $2, $3.path) }
    }

    @Test func aFailureIsToldInItsPlaceAndTriedAgain() async throws {
        try await play { try await $0.aFailureIsTold(at: $1.address, $2, $3.path) }
    }

    @Test func notificationSignalsOfStrangersAreIgnored() async throws {
        try await play { try await $0.strangersAreNotHeard(at: $1.address, $2, $3.path) }
    }

    @Test func aServerThatHangsGetsNoMoreAndTheNextIsAsked() async throws {
        try await play { try await $0.aHangingServerIsLeftAlone(at: $1.address, $2, $3.path) }
    }

    @Test func aServerThatDiesIsFollowedByAnotherThatIsNotToldTwice() async throws {
        try await play { try await $0.serversFollowOneAnother(at: $1.address, $2, $3.path) }
    }

    @Test func aServerThatComesLaterIsToldWhatThereIs() async throws {
        try await play { try await $0.aLateServerIsTold(at: $1.address, $2, $3.path) }
    }

    @Test func doNotDisturbSuppressesNotifications() async throws {
        try await play { try await $0.inhibitionIsRespected(at: $1.address, $2, $3.path) }
    }

    @Test func seenNotificationsStayHiddenAfterARestart() async throws {
        try await play { try await $0.seenIsKept(at: $1.address, $2, $3.path) }
    }

    @Test func aDaemonThatIsStartedAgainShowsNothingAgain() async throws {
        try await play { try await $0.theDaemonIsStartedAgain(at: $1.address, $2, $3.path) }
    }

    @Test func aBusThatComesBackIsToldNothingAgain() async throws {
        try await play { try await $0.theBusComesBack($1, $2, $3.path) }
    }

    @Test func settingsCountAtOnce() async throws {
        try await play { try await $0.settingsAreChanged(at: $1.address, $2, $3) }
    }

    @Test func settingsThatCannotBeUnderstoodChangeNothing() async throws {
        try await play(settings: #""notifications.device.Anna's laptop": "quiet""#) {
            try await $0.settingsAreBroken(at: $1.address, $2, $3)
        }
    }

    // Shows L13.
    @Test func absentUserHasNoNotificationsLeft() async throws {
        try await play { try await $0.theUserLeaves(at: $1.address, $2, $3.path) }
    }
}

extension BusFixture {
    private func server(at address: String, _ change: (NoticeServer) -> Void = { _ in }) async throws -> NoticeServer {
        let server = NoticeServer(try await connect(to: address))
        change(server)
        try server.begin()
        return server
    }

    private func user(at address: String, _ daemon: ScriptedDaemon, _ folder: String) -> NotifiedUser {
        NotifiedUser(at: address, daemon, folder: folder, on: loop)
    }

    fileprivate func continueIsPressed(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.willAnswer(.success(Articles.outcome))
        daemon.offer([Articles.article(1, "Rain & <b>wind</b>")])
        try await server.waits(forShown: 1, isolation: self)
        #expect(server.shown[0].summary == "Rain & <b>wind</b>")
        #expect(server.shown[0].body == "Reader on Anna&apos;s laptop")
        #expect(server.shown[0].actions == ["default", "Continue", "continue", "Continue"])
        #expect(server.shown[0].hints["desktop-entry"]?.text == "org.handoff.Handoff")
        #expect(server.shown[0].hints["image-path"]?.text == "com.example.reader")
        #expect(server.shown[0].hints["transient"] == nil)
        server.press(server.shown[0].id, token: "token")
        var starts = daemon.starts.makeAsyncIterator()
        let start = await starts.next()
        #expect(start?.activity == Articles.article(1).offer.activity)
        #expect(start?.device == Articles.article(1).device)
        try await server.waits(forClosed: 1, isolation: self)
        #expect(server.closed == [server.shown[0].id])
        withExtendedLifetime(user) {}
    }

    fileprivate func germanIsSpoken(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        let user = NotifiedUser(
            at: address, daemon, folder: folder, environment: ["LANG": "de_AT.UTF-8"], on: loop)
        daemon.offer([Articles.article(1, "Wetter")])
        try await server.waits(forShown: 1, isolation: self)
        #expect(server.shown[0].body == "Reader auf Anna&apos;s laptop")
        #expect(server.shown[0].actions == ["default", "Fortsetzen", "continue", "Fortsetzen"])
        withExtendedLifetime(user) {}
    }

    fileprivate func aFailureIsTold(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.willAnswer(.failure(Failure(.deviceLost, "the connection ended")))
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        server.press(1, "default")
        try await server.waits(forShown: 2, isolation: self)
        #expect(server.shown[1].replaced == 1)
        #expect(server.shown[1].summary == "Could not continue “Weather”")
        #expect(
            server.shown[1].body
                == """
                Reader on Anna&apos;s laptop
                The connection to the other device was lost. Check that it is on and on the same network, then try again.
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

    fileprivate func strangersAreNotHeard(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        let stranger = try await connect(to: address)
        for (signal, value) in [("ActionInvoked", BusValue.string("continue")), ("NotificationClosed", .uint32(2))] {
            stranger.connection?.emit(NoticeServer.path, NoticeServer.name, signal, [.uint32(1), value])
        }
        // The bus preserves the order of each sender, so a signal would have arrived by now.
        _ = await stranger.call(.bus("GetId", []), isolation: self)
        server.press(77)
        server.press(1, "snooze")
        daemon.offer([])
        try await server.waits(forClosed: 1, isolation: self)
        #expect(server.closed == [1])
        let starts = daemon.asked.count { if case .continuation = $0 { true } else { false } }
        #expect(starts == 0)
        withExtendedLifetime((user, stranger)) {}
    }

    fileprivate func aHangingServerIsLeftAlone(
        at address: String, _ daemon: ScriptedDaemon, _ folder: String
    ) async throws {
        let first = try await server(at: address) { $0.hangs = true }
        let user = user(at: address, daemon, folder)
        for number in 1...5 as ClosedRange<UInt8> { daemon.offer([Articles.article(number, "Article \(number)")]) }
        // After the answer's time limit, only the newest notification is sent again.
        try await first.waits(forShown: 2, isolation: self)
        #expect(first.shown.count == 2)
        #expect(first.shown.last?.summary == "Article 5")
        first.end()
        let second = try await server(at: address)
        try await second.waits(forShown: 1, isolation: self)
        #expect(second.shown[0].summary == "Article 5")
        withExtendedLifetime(user) {}
    }

    fileprivate func serversFollowOneAnother(
        at address: String, _ daemon: ScriptedDaemon, _ folder: String
    ) async throws {
        let first = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await first.waits(forShown: 1, isolation: self)
        first.end()
        let second = try await server(at: address)
        daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
        try await second.waits(forShown: 1, isolation: self)
        #expect(second.shown.map(\.summary) == ["Tides"])
        #expect(second.shown[0].replaced == 0)
        withExtendedLifetime(user) {}
    }

    fileprivate func aLateServerIsTold(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        let server = try await server(at: address) { $0.capabilities = ["body"] }
        try await server.waits(forShown: 1, isolation: self)
        #expect(server.shown[0].actions.isEmpty)
        #expect(
            server.shown[0].body
                == "Reader on Anna's laptop\nTo continue here, run this in a terminal: handoff activity continue")
        withExtendedLifetime(user) {}
    }

    fileprivate func inhibitionIsRespected(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws
    {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        server.isInhibited = true
        daemon.offer([])
        try await server.waits(forClosed: 1, isolation: self)
        daemon.offer([Articles.article(2, "Tides")])
        daemon.offer([Articles.article(3, "Moon")])
        server.isInhibited = false
        try await server.waits(forShown: 2, isolation: self)
        #expect(server.shown[1].summary == "Moon")
        withExtendedLifetime(user) {}
    }

    fileprivate func seenIsKept(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        var user: NotifiedUser? = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        // The first answer is processed before the next request.
        daemon.offer([Articles.article(1, "Weather, updated")])
        try await server.waits(forShown: 2, isolation: self)
        withExtendedLifetime(user) {}
        user = nil
        let next = ScriptedDaemon(offering: [Articles.article(2, "Tides"), Articles.article(1)])
        user = self.user(at: address, next, folder)
        try await server.waits(forShown: 3, isolation: self)
        #expect(server.shown[2].summary == "Tides")
        next.offer([Articles.article(1)])
        try await server.waits(forClosed: 1, isolation: self)
        next.offer([Articles.article(3, "Moon"), Articles.article(1)])
        try await server.waits(forShown: 4, isolation: self)
        #expect(server.shown[3].summary == "Moon")
        withExtendedLifetime(user) {}
    }

    fileprivate func theDaemonIsStartedAgain(
        at address: String, _ daemon: ScriptedDaemon, _ folder: String
    ) async throws {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        daemon.vanish()
        try await server.waits(forClosed: 1, isolation: self)
        daemon.appear()
        daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
        try await server.waits(forShown: 2, isolation: self)
        #expect(server.shown[1].summary == "Tides")
        withExtendedLifetime(user) {}
    }

    fileprivate func theBusComesBack(_ first: PrivateBus, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: first.address)
        let user = user(at: first.address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        // The first answer has arrived by then.
        daemon.offer([Articles.article(1, "Weather, updated")])
        try await server.waits(forShown: 2, isolation: self)
        await first.kill()
        try await server.guest.wait(isolation: self) { $0.ends == 1 }
        let second = try await PrivateBus(socket: first.folder + "/bus")
        try await server.guest.connected(isolation: self)
        try server.begin()
        daemon.offer([Articles.article(2, "Tides"), Articles.article(1)])
        try await server.waits(forShown: 3, isolation: self)
        #expect(server.shown[2].summary == "Tides")
        #expect(server.shown[2].replaced == 0)
        withExtendedLifetime((user, second)) {}
    }

    fileprivate func settingsAreChanged(at address: String, _ daemon: ScriptedDaemon, _ folder: UserFolder) async throws
    {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder.path)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        try folder.set(#""notifications": "off""#)
        try await server.waits(forClosed: 1, isolation: self)
        withExtendedLifetime(user) {}
    }

    fileprivate func settingsAreBroken(at address: String, _ daemon: ScriptedDaemon, _ folder: UserFolder) async throws
    {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder.path)
        try folder.set("oops")
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        #expect(server.shown[0].hints["transient"]?.flag == true)
        #expect(server.shown[0].hints["suppress-sound"]?.flag == true)
        #expect(server.shown[0].hints["urgency"] == .byte(0))
        try folder.set(#""notifications": "off", "notifications.device.anna's laptop": "off""#)
        try await server.waits(forClosed: 1, isolation: self)
        withExtendedLifetime(user) {}
    }

    fileprivate func theUserLeaves(at address: String, _ daemon: ScriptedDaemon, _ folder: String) async throws {
        let server = try await server(at: address)
        let user = user(at: address, daemon, folder)
        daemon.offer([Articles.article(1)])
        try await server.waits(forShown: 1, isolation: self)
        user.feature.presenceChanged(isAway: true)
        try await server.waits(forClosed: 1, isolation: self)
        daemon.offer([Articles.article(2, "Tides")])
        daemon.offer([Articles.article(3, "Moon")])
        // Both have arrived when the bus answers.
        _ = await server.guest.call(.bus("GetId", []), isolation: self)
        user.feature.presenceChanged(isAway: false)
        try await server.waits(forShown: 2, isolation: self)
        #expect(server.shown[1].summary == "Moon")
        withExtendedLifetime(user) {}
    }
}
