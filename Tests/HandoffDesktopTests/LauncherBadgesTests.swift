// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Heard like Plasma's task manager and Dash to Dock do, on a real bus. Shows L20.
@Suite(.timeLimit(.minutes(1))) struct LauncherBadgesTests {
    private static let notes = "application://com.example.notes.desktop"

    private func two() throws -> [ListedActivity] {
        [try .sample(1, "Shopping list"), try .sample(2, "Holidays")]
    }

    @Test func badgeCountsTheActivitiesOfItsApp() async throws {
        try await withPrivateBus { fixture, bus in
            let launcher = try await fixture.connect(to: bus.address)
            try await launcher.becomesLauncher(isolation: fixture)
            var own = try ListedActivity.sample(5, "From here")
            own.isFromThisDevice = true
            let daemon = ScriptedDaemon(
                offering: try two() + [
                    try .sample(3, "A page", target: .webPage), try .sample(4, "", target: .script), own,
                ]
            )
            let guest = try await fixture.begin(at: bus.address, daemon)
            try await launcher.wait(toHear: 1, isolation: fixture)
            #expect(launcher.badges == [Badge(Self.notes, count: 2, isVisible: true)])
            // Only what changed.
            daemon.offer([try two()[1]])
            try await launcher.wait(toHear: 2, isolation: fixture)
            #expect(launcher.badges.last == Badge(Self.notes, count: 1))
            daemon.offer([try .sample(2, "Holidays again")])
            let other = try BundleID("com.example.reader")
            daemon.offer([try .sample(6, "A book", target: .app(other)), try two()[1]])
            try await launcher.wait(toHear: 3, isolation: fixture)
            #expect(
                launcher.badges.last == Badge("application://com.example.reader.desktop", count: 1, isVisible: true))
            daemon.vanish()
            try await launcher.wait(toHear: 5, isolation: fixture)
            #expect(launcher.badges[3] == Badge(Self.notes, count: 0, isVisible: false))
            #expect(launcher.badges.count == 5)
            withExtendedLifetime(guest) {}
        }
    }

    @Test func eachNewLauncherLearnsTheBadges() async throws {
        try await withPrivateBus { fixture, bus in
            let guest = try await fixture.begin(at: bus.address, ScriptedDaemon(offering: try two()))
            let first = try await fixture.connect(to: bus.address)
            try await first.listens(isolation: fixture)
            await guest.settles(isolation: fixture)
            await first.settles(isolation: fixture)
            // Nobody would show it.
            #expect(first.badges.isEmpty)
            for count in 1...2 {
                try await first.ownsLauncher(isolation: fixture)
                try await first.wait(toHear: count, isolation: fixture)
                #expect(first.badges.last == Badge(Self.notes, count: 2, isVisible: true))
                first.connection?.releaseName(LauncherBadges.launcher)
            }
        }
    }

    @Test(arguments: [
        #""notifications": "off""#, #""notifications.app.com.example.notes": "off""#,
        #""notifications.device.laptop": "off""#,
    ])
    func badgeFollowsTheSettingOfNotifications(off: String) async throws {
        try await withPrivateBus { fixture, bus in
            let launcher = try await fixture.connect(to: bus.address)
            try await launcher.becomesLauncher(isolation: fixture)
            let guest = try await fixture.begin(at: bus.address, ScriptedDaemon(offering: try two()))
            try await launcher.wait(toHear: 1, isolation: fixture)
            try guest.folder?.set(off)
            try await launcher.wait(toHear: 2, isolation: fixture)
            #expect(launcher.badges.last == Badge(Self.notes, count: 0, isVisible: false))
            try guest.folder?.set(#""notifications": "quiet""#)
            try await launcher.wait(toHear: 3, isolation: fixture)
            #expect(launcher.badges.last == Badge(Self.notes, count: 2, isVisible: true))
        }
    }

    /// Such as the number of unread messages.
    @Test func badgeOfTheAppItselfHasPrecedence() async throws {
        try await withPrivateBus { fixture, bus in
            let launcher = try await fixture.connect(to: bus.address)
            try await launcher.becomesLauncher(isolation: fixture)
            let daemon = ScriptedDaemon(offering: try two())
            let guest = try await fixture.begin(at: bus.address, daemon)
            try await launcher.wait(toHear: 1, isolation: fixture)
            let app = try await fixture.connect(to: bus.address)
            let says = { (count: Int64, isVisible: Bool) in
                app.connection?.emit(
                    "/app", LauncherBadges.interface, "Update",
                    [
                        .string(Self.notes),
                        .properties(["count": .int64(count), "count-visible": .boolean(isVisible)]),
                    ])
            }
            says(7, true)
            try await launcher.wait(toHear: 2, isolation: fixture)
            // The program has received it too before the next list.
            await guest.settles(isolation: fixture)
            daemon.offer([try two()[0]])
            await guest.settles(isolation: fixture)
            says(0, false)
            try await launcher.wait(toHear: 4, isolation: fixture)
            #expect(
                launcher.badges.dropFirst() == [
                    Badge(Self.notes, count: 7, isVisible: true), Badge(Self.notes, count: 0, isVisible: false),
                    Badge(Self.notes, count: 1, isVisible: true),
                ])
        }
    }

    @Test func badgesAreLimitedAndEndWithTheProgram() async throws {
        try await withPrivateBus { fixture, bus in
            let launcher = try await fixture.connect(to: bus.address)
            try await launcher.becomesLauncher(isolation: fixture)
            let offers = try (0...UInt8(LauncherBadges.apps)).map { number in
                try ListedActivity.sample(number, "", target: .app(try BundleID("com.example.app\(number)")))
            }
            let guest = try await fixture.begin(at: bus.address, ScriptedDaemon(offering: offers))
            try await launcher.wait(toHear: LauncherBadges.apps, isolation: fixture)
            // Of a stranger, it reads only the first signals: BusLimits.heldCalls.
            await guest.becomesKnown(to: launcher, isolation: fixture)
            guest.features?.stop()
            try await launcher.wait(toHear: LauncherBadges.apps * 2, isolation: fixture)
            let (begun, ended) = (
                launcher.badges.prefix(LauncherBadges.apps), launcher.badges.dropFirst(LauncherBadges.apps)
            )
            #expect(begun.allSatisfy { $0.isVisible == true } && ended.allSatisfy { $0.isVisible == false })
            #expect(Set(begun.map(\.entry)) == Set(ended.map(\.entry)))
            #expect(!begun.contains { $0.entry.hasSuffix(".app\(LauncherBadges.apps).desktop") })
        }
    }
}

private struct Badge: Hashable {
    var entry: String
    var count: Int64?
    var isVisible: Bool?

    init(_ entry: String, count: Int64? = nil, isVisible: Bool? = nil) {
        (self.entry, self.count, self.isVisible) = (entry, count, isVisible)
    }

    init?(_ message: BusMessage) {
        guard message.member == "Update", let entry = message[0]?.text, let properties = message[1]?.properties else {
            return nil
        }
        self.init(
            entry, count: properties["count"]?.integer.map { Int64($0) }, isVisible: properties["count-visible"]?.flag)
    }
}

extension Guest {
    fileprivate var badges: [Badge] { heard.compactMap(Badge.init) }

    fileprivate func becomesLauncher(isolation: isolated (any Actor)) async throws {
        try await listens(isolation: isolation)
        try await ownsLauncher(isolation: isolation)
    }

    fileprivate func listens(isolation: isolated (any Actor)) async throws {
        kept.append(
            try #require(connection).onSignal(LauncherBadges.interface, "Update", "sa{sv}") { [unowned self] in
                hears($0)
            })
        _ = await call(.bus("GetId", []), isolation: isolation)
    }

    fileprivate func ownsLauncher(isolation: isolated (any Actor)) async throws {
        let connection = try #require(connection)
        try await withCheckedThrowingContinuation { done in
            connection.requestName(LauncherBadges.launcher) { done.resume(with: $0) }
        }
    }
}
