// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffClient
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// With the real portal and its implementation by GTK, which GNOME and others use. Shows W05.
@Suite(.timeLimit(.minutes(1))) struct PrivacyWatchTests {
    private static let programs = [
        "/usr/bin/Xvfb", "/usr/bin/gsettings", "/usr/libexec/xdg-desktop-portal", "/usr/libexec/xdg-desktop-portal-gtk",
    ]
    private static let isInstalled = programs.allSatisfy(FileManager.default.isExecutableFile)

    @Test(.enabled(if: isInstalled, "Scripts/setup test installs the portal"))
    func fileHistoryThatTheUserSwitchesOffIsReported() async throws {
        try await withPrivateBus { fixture, bus in
            let folder = try UserFolder()
            let screen = try Program(
                [Self.programs[0], "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp"],
                environment: ["PATH": "/usr/bin:/bin"])
            guard await screen.wait(until: { $0.output.hasSuffix("\n") }) else {
                throw Program.Silence(description: "Xvfb has no display: \(screen.errors)")
            }
            let environment = [
                "DISPLAY": ":" + screen.output.trimmingCharacters(in: .whitespacesAndNewlines),
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "GSETTINGS_BACKEND": "keyfile", "HOME": folder.path,
                "XDG_CONFIG_HOME": folder.path, "XDG_CURRENT_DESKTOP": "GNOME", "XDG_RUNTIME_DIR": folder.path,
                "PATH": "/usr/bin:/bin", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
            ]
            let daemon = ScriptedDaemon()
            let guest = try await fixture.begin(at: bus.address, daemon)
            let implementation = try Program([Self.programs[3]], environment: environment)
            try await guest.waits(for: "org.freedesktop.impl.portal.desktop.gtk", isolation: fixture)
            let portal = try Program([Self.programs[2]], environment: environment)
            var reports = daemon.privacyReports.makeAsyncIterator()
            #expect(await reports.next() == false)
            for value in ["false", "true"] {
                let setting = try Program(
                    [Self.programs[1], "set", PrivacyWatch.setting.namespace, PrivacyWatch.setting.key, value],
                    environment: environment)
                _ = await setting.wait { !$0.isRunning }
                #expect(await reports.next() == (value == "false"), "\(setting.errors)")
            }
            for program in [portal, implementation, screen] { program.send(SIGKILL) }
            withExtendedLifetime(folder) {}
        }
    }

    /// At login it waits for other programs.
    @Test func portalThatDoesNotAnswerIsAskedAgain() async throws {
        try await withPrivateBus { fixture, bus in
            let user = try await fixture.connect(to: bus.address)
            let portal = try await fixture.connect(to: bus.address)
            var questions = 0
            let settings = BusInterface(
                PrivacyWatch.interface,
                methods: [
                    .init("Read", takes: [.init("namespace", "s"), .init("key", "s")], gives: [.init("value", "v")]) {
                        questions += 1
                        if questions == 1 { portal.kept.append($1) } else { $1.answer([.variant(.boolean(false))]) }
                    }
                ])
            portal.kept.append(
                try #require(portal.connection?.serve([settings], at: PrivacyWatch.path, as: PrivacyWatch.portal)))
            try await user.waits(for: PrivacyWatch.portal, isolation: fixture)
            let daemon = ScriptedDaemon(isThere: true)
            let client = DaemonClient(
                daemon, hello: LocalHello(role: .control, name: DisplayText(cleaning: "handoff-bus")), on: fixture.loop)
            let watch = PrivacyWatch(
                client, patience: .milliseconds(100), askAgain: .milliseconds(10), on: fixture.loop)
            client.connected = { watch.daemonConnected($0) }
            client.start()
            watch.busConnected(try #require(user.connection))
            var reports = daemon.privacyReports.makeAsyncIterator()
            #expect(await reports.next() == true)
            #expect(questions == 2)
            watch.busDisconnected()
        }
    }
}
