// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffStrings
import HandoffWire
import TestBuses
import Testing

@testable import HandoffAdapters

/// The notification about a fetched file, with a server on a real bus. Shows M07.
@Suite(.timeLimit(.minutes(1))) struct FetchNoticeTests {
    private static let film = FetchNotice.File(name: "a & <b>.mkv", device: "laptop", bytes: 1_200_000_000)

    private func notice(
        on fixture: isolated BusFixture, at address: String, in language: Language = .english
    ) async throws -> (FetchNotice, Guest) {
        let guest = try await fixture.connect(to: address)
        let bus = try #require(guest.connection)
        return (FetchNotice(Self.film, LocalizedStrings(language), on: bus, fixture.loop), guest)
    }

    /// Waits until the server has answered: its answers arrive in order.
    private func answered(_ guest: Guest, isolation: isolated BusFixture) async {
        let name = NotificationServer.name
        let call = BusCall(name, "/org/freedesktop/Notifications", name, "GetCapabilities", [])
        _ = await guest.call(call, isolation: isolation)
    }

    @Test(arguments: [("fetch", true), ("default", true), ("cancel", false), (nil, false)])
    func questionIsAnsweredByItsActions(action: String?, fetches: Bool) async throws {
        try await withPrivateBus { fixture, bus in
            let server = try await fixture.server(at: bus.address)
            let (notice, guest) = try await notice(on: fixture, at: bus.address)
            var answers: [Bool?] = []
            notice.ask { answer in
                answers.append(answer)
                guest.hears(BusMessage(member: "answer"))
            }
            try await server.waits(forShown: 1, isolation: fixture)
            let shown = try #require(server.shown.first)
            #expect(shown.summary == "Fetch “a & <b>.mkv”?")
            #expect(shown.body == "Only laptop has it: 1.2 GB.")
            #expect(shown.actions == ["default", "Fetch", "fetch", "Fetch", "cancel", "Cancel"])
            // The answer of the server arrives first.
            await answered(guest, isolation: fixture)
            if let action { server.press(1, action) } else { server.close(1) }
            try await guest.wait(isolation: fixture) { _ in !answers.isEmpty }
            #expect(answers == [fetches])
            withExtendedLifetime(notice) {}
        }
    }

    @Test func serverWithoutActionsCannotAsk() async throws {
        try await withPrivateBus { fixture, bus in
            let server = try await fixture.server(at: bus.address) { $0.capabilities = ["body"] }
            let (notice, guest) = try await notice(on: fixture, at: bus.address)
            var answers: [Bool?] = []
            notice.ask { answer in
                answers.append(answer)
                guest.hears(BusMessage(member: "answer"))
            }
            try await guest.wait(isolation: fixture) { _ in !answers.isEmpty }
            #expect(answers == [nil])
            #expect(server.shown.isEmpty)
            withExtendedLifetime(notice) {}
        }
    }

    @Test func withoutAServerTheAnswerDoesNotTakeForever() async throws {
        try await withPrivateBus { fixture, bus in
            let (notice, guest) = try await notice(on: fixture, at: bus.address)
            var answers: [Bool?] = []
            notice.ask { answer in
                answers.append(answer)
                guest.hears(BusMessage(member: "answer"))
            }
            try await guest.wait(isolation: fixture) { _ in !answers.isEmpty }
            #expect(answers == [nil])
            withExtendedLifetime(notice) {}
        }
    }

    @Test func progressStaysInOneNotificationUntilTheUserEndsIt() async throws {
        try await withPrivateBus { fixture, bus in
            let server = try await fixture.server(at: bus.address)
            let (notice, guest) = try await notice(on: fixture, at: bus.address, in: .german)
            var isCancelled = false
            notice.cancelled = {
                isCancelled = true
                guest.hears(BusMessage(member: "cancelled"))
            }
            for (count, bytes) in [(1, Int64(0)), (2, 300_000_000)] {
                notice.show(progress: bytes)
                try await server.waits(forShown: count, isolation: fixture)
                await answered(guest, isolation: fixture)
            }
            let last = try #require(server.shown.last)
            #expect(last.replaced == 1)
            #expect(last.body == "300 MB von 1,2 GB, von laptop")
            #expect(last.hints["value"] == .int32(25))
            #expect(last.actions == ["cancel", "Abbrechen"])
            notice.show(progress: 1_300_000_000)
            try await server.waits(forShown: 3, isolation: fixture)
            #expect(server.shown.last?.hints["value"] == .int32(100))
            await answered(guest, isolation: fixture)
            server.press(1, "cancel")
            try await guest.wait(isolation: fixture) { _ in isCancelled }
            try await server.waits(forClosed: 1, isolation: fixture)
            notice.show(progress: 500_000_000)
            await answered(guest, isolation: fixture)
            #expect(server.shown.count == 3)
        }
    }

    @Test func failureIsExplained() async throws {
        try await withPrivateBus { fixture, bus in
            let server = try await fixture.server(at: bus.address)
            let (notice, guest) = try await notice(on: fixture, at: bus.address)
            var isShown = false
            notice.show(Failure(.documentNotPlaced, "no space left")) {
                isShown = true
                guest.hears(BusMessage(member: "shown"))
            }
            try await guest.wait(isolation: fixture) { _ in isShown }
            let shown = try #require(server.shown.first)
            #expect(shown.summary == "“a & <b>.mkv” was not fetched")
            #expect(!shown.body.isEmpty && !shown.body.contains("no space left"))
        }
    }
}
