// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The programs themselves, on real buses, with simulated logind and screen savers. Shows L13.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PresenceWatchTests {
    private func isListed(_ stage: PresenceStage) async throws { _ = try await stage.watch?.hear(PresenceStage.page) }
    private func isWithdrawn(_ stage: PresenceStage) async throws { _ = try await stage.watch?.hear("[]") }

    private func presence(_ stage: PresenceStage) async throws -> String? {
        let status = try JSONSerialization.jsonObject(with: Data(try await stage.handoff("status", "--json").utf8))
        let facts = (status as? [String: Any])?["facts"] as? [String: Any]
        return facts?["presence"] as? String
    }

    /// Shows Q12. Without handoff-bus, with it on an empty bus, and as components start and stop.
    @Test func missingPartsAreNamedWithTheLoss() async throws {
        let stage = try await PresenceStage()
        func missing() async throws -> [String] {
            let status = try JSONSerialization.jsonObject(with: Data(try await stage.handoff("status", "--json").utf8))
            let parts = (status as? [String: Any])?["missing"] as? [[String: String]] ?? []
            #expect(parts.allSatisfy { $0["loss"]?.isEmpty == false })
            // This machine may lack a service manager and IPv6.
            return parts.compactMap { $0["part"] }.filter { !$0.contains("manager") && $0 != "IPv6" }
        }
        #expect(try await missing() == ["a session bus with handoff-bus"])
        try await stage.startDesktop(hasSystemBus: false)
        let (server, tray) = ("a notification server", "a tray (StatusNotifierWatcher)")
        let lock = "a program that reports a locked screen (systemd-logind or a screen saver)"
        #expect(try await missing() == [server, tray, lock])
        let text = try await stage.handoff("status")
        #expect(text.contains("missing     \(lock): activities here stay offered while the screen is locked"))
        for (name, left) in [
            ("org.freedesktop.Notifications", [tray, lock]), ("org.kde.StatusNotifierWatcher", [lock]),
            ("org.gnome.ScreenSaver", []),
        ] {
            let told = stage.count(of: "User's presence reported")
            try await stage.startScreenSaver(name)
            try await stage.heard("User's presence reported", times: told + 1)
            #expect(try await missing() == left)
        }
    }

    /// Shows Q12.
    @Test(.enabled(if: geteuid() == 0, "a network of its own needs root"))
    func aMachineWithoutIPv6AndServiceManagerIsNamed() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "handoff-parts-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let daemon = try Program(
            [
                "/usr/bin/unshare", "--net", "sh", "-c",
                "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; ip link set lo up; exec \"$0\" \"$@\"",
                Program.built + "/handoffd", "--root", root, "--listen", "127.0.0.1:0", "--beacons", "false",
            ], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        try await daemon.warn("Ready\n")
        let status = try Program([Program.built + "/handoff", "status"], environment: ["HANDOFF_ROOT": root])
        #expect(await status.end() == 0)
        #expect(status.output.contains("\nmissing     systemd's user manager: nothing starts Handoff at log-in"))
        #expect(status.output.contains("\nmissing     IPv6: devices are found and reached by IPv4 only"))
    }

    // Shows B02.
    @Test(arguments: [
        ("locked", "'LockedHint': <true>", "'LockedHint': <false>"),
        ("idle", "'IdleHint': <true>", "'IdleHint': <false>"),
        ("elsewhere", "'Active': <false>", "'Active': <true>"),
    ])
    func logindSessionStateSetsPresence(presence: String, away: String, back: String) async throws {
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
        #expect(try await stage.handoff("status", "--verbose").contains("presence here"))
    }

    /// A text session on the same device, in front of the graphical session.
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

    @Test func lockRequestTakesEffectImmediately() async throws {
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
    func screenSaverOnTheSessionBusSetsPresence(name: String) async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startScreenSaver(name)
        try await stage.startDesktop()
        try await stage.cover(true, by: name)
        try await isWithdrawn(stage)
        try await stage.cover(false, by: name)
        try await isListed(stage)
    }

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

    @Test func withoutASystemBusTheUserIsPresentAndItIsReported() async throws {
        let stage = try await PresenceStage()
        try await stage.startDesktop(hasSystemBus: false)
        let status = try await stage.handoff("status", "--verbose")
        #expect(status.contains("presence here, presence problem systemd-logind does not respond"))
        let warning = "\nwarning     it may be wrong whether you are here: systemd-logind does not respond"
        #expect(try await stage.handoff("status").contains(warning))
        #expect(stage.watch?.output.contains("[]\n[]") == false)
    }

    /// The screen stays locked, and activities are never shown in between.
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

    /// Any program of any user may send signals on the system bus.
    @Test func forgedLogindSignalsAreIgnored() async throws {
        let stage = try await PresenceStage()
        try await stage.startLogind()
        try await stage.startDesktop()
        try await stage.forge("org.freedesktop.login1.Session.Lock")
        try await stage.forge(
            "org.freedesktop.DBus.NameOwnerChanged", "'org.freedesktop.login1'", "':1.1'", "''")
        // Later signals arrive later, so the forged signals were processed.
        try await stage.set("'IdleHint': <true>")
        try await isWithdrawn(stage)
        try await stage.heard("User's presence reported", times: 2)
        #expect(stage.count(of: "User's presence reported") == 2)
        #expect(try await presence(stage) == "idle")
    }
}
