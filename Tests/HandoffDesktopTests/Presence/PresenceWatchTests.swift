// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The programs themselves, on real buses, with a logind and screen savers that do what they are told. Shows L13, B02.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PresenceWatchTests {
    private func isListed(_ stage: PresenceStage) async throws { _ = try await stage.watch?.hear(PresenceStage.page) }
    private func isWithdrawn(_ stage: PresenceStage) async throws { _ = try await stage.watch?.hear("[]") }

    private func presence(_ stage: PresenceStage) async throws -> String? {
        let status = try JSONSerialization.jsonObject(with: Data(try await stage.handoff("status", "--json").utf8))
        let facts = (status as? [String: Any])?["facts"] as? [String: Any]
        return facts?["presence"] as? String
    }

    @Test(arguments: [
        ("locked", "'LockedHint': <true>", "'LockedHint': <false>"),
        ("idle", "'IdleHint': <true>", "'IdleHint': <false>"),
        ("elsewhere", "'Active': <false>", "'Active': <true>"),
    ])
    func whatLogindSaysOfTheSessionCounts(presence: String, away: String, back: String) async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        #expect(try await self.presence(stage) == "here")
        for _ in 0..<2 {
            try await stage.set(away)
            try await isWithdrawn(stage)
            #expect(try await self.presence(stage) == presence)
            try await stage.set(back)
            try await isListed(stage)
        }
        #expect(try await stage.handoff("status").contains("presence here"))
    }

    /// On a text screen of the same device, with the windows behind it.
    @Test func theUsersOtherSessionInFrontIsEnough() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.set("'Active': <false>, 'LockedHint': <true>")
        try await isWithdrawn(stage)
        try await stage.addSession("3")
        try await isListed(stage)
        try await stage.set("'Active': <false>", of: "3")
        try await isWithdrawn(stage)
    }

    @Test func aRequestToLockCountsAtOnce() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.requestLock(true)
        try await isWithdrawn(stage)
        try await stage.requestLock(false)
        try await isListed(stage)
    }

    @Test(arguments: [
        "org.cinnamon.ScreenSaver", "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.mate.ScreenSaver",
        "org.xfce.ScreenSaver",
    ])
    func aScreenSaverThatTellsTheSessionBusAloneCounts(name: String) async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startScreenSaver(name)
        try await stage.startDesktop()
        try await stage.cover(true, by: name)
        try await isWithdrawn(stage)
        try await stage.cover(false, by: name)
        try await isListed(stage)
    }

    /// One that begins to run later.
    @Test func aScreenSaverIsFoundWhenItComes() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.startScreenSaver("org.xfce.ScreenSaver")
        try await stage.cover(true, by: "org.xfce.ScreenSaver")
        try await isWithdrawn(stage)
    }

    @Test func aLogindThatRestartsIsHeardAgain() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.set("'LockedHint': <true>")
        try await isWithdrawn(stage)
        await stage.killLogind()
        #expect(try await presence(stage) == "locked", "it is believed meanwhile")
        try await stage.startLogind()
        try await isListed(stage)
        try await stage.set("'LockedHint': <true>")
        try await isWithdrawn(stage)
    }

    @Test func withoutASystemBusTheUserIsHereAndItIsSaid() async throws {
        let stage = try await PresenceStage()
        try await stage.startDesktop(hasSystemBus: false)
        let status = try await stage.handoff("status")
        #expect(status.contains("presence here, presence problem systemd-logind does not answer"))
        #expect(stage.watch?.output.contains("[]\n[]") == false)
    }

    /// The screen is locked all the time, and what is open there is not seen for a moment.
    @Test func aDesktopPartThatCrashesIsStartedAgainUnseen() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.set("'LockedHint': <true>")
        try await isWithdrawn(stage)
        let listed = stage.watch?.output
        await stage.killDesktop()
        try await stage.startDesktop()
        #expect(try await presence(stage) == "locked")
        #expect(stage.watch?.output == listed)
        try await stage.set("'LockedHint': <false>")
        try await isListed(stage)
    }

    /// Any program of any user may send to a program on the machine's bus.
    @Test func whatIsNotSaidByLogindCountsForNothing() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.forge("org.freedesktop.login1.Session.Lock")
        try await stage.forge(
            "org.freedesktop.DBus.NameOwnerChanged", "'org.freedesktop.login1'", "':1.1'", "''")
        // What is said after that is heard after that, and heard at all.
        try await stage.set("'IdleHint': <true>")
        try await isWithdrawn(stage)
        try await stage.heard("User's presence told", times: 2)
        #expect(stage.count(of: "User's presence told") == 2)
        #expect(try await presence(stage) == "idle")
    }
}
