// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffStrings
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// The language of the desktop's texts, on a real bus. Shows L01, L11, L12.
@Suite(.timeLimit(.minutes(1))) struct DesktopStringsTests {
    @Test func theyAreInTheLanguageOfTheProgramWhereNoManagerAnswers() async throws {
        try await withPrivateBus { fixture, bus in
            let shell = try await fixture.begin(at: bus.address, ScriptedDaemon(), environment: ["LANG": "de_DE.UTF-8"])
            #expect(try await shell.nameOfWhatIsGone(isolation: fixture) == "Nicht mehr verfügbar")
            let actions = try await shell.asks(
                RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Actions", isolation: fixture)
            #expect(actions[0]?.elements?.first?.elements?[1].text == LocalizedStrings(.german)[.openInBrowser])
        }
    }

    /// The session announces its language after this program started.
    @Test func languageOfTheSessionManagerIsUsed() async throws {
        try await withPrivateBus { fixture, bus in
            let manager = try await fixture.connect(to: bus.address)
            var environment = ["PATH=/usr/bin", "LANG=fr_FR.UTF-8"]
            manager.kept = [
                try BusObject(
                    [
                        BusInterface(
                            "org.freedesktop.systemd1.Manager",
                            properties: [
                                .init("Environment", "as") {
                                    manager.hears(BusMessage())
                                    return .strings(environment)
                                }
                            ])
                    ], at: "/org/freedesktop/systemd1", on: try #require(manager.connection))
            ]
            try await manager.has("org.freedesktop.systemd1", isolation: fixture)
            let shell = try await fixture.begin(at: bus.address, ScriptedDaemon(), environment: ["LANG": "en_US.UTF-8"])
            try await manager.wait(isolation: fixture) { !$0.heard.isEmpty }
            await shell.settles(isolation: fixture)
            #expect(try await shell.nameOfWhatIsGone(isolation: fixture) == LocalizedStrings(.french)[.gone])

            environment = ["LANG=fr_FR.UTF-8", "LANGUAGE=it:fr", "broken"]
            let asked = manager.heard.count
            let server = try await fixture.connect(to: bus.address)
            try await server.has("org.freedesktop.Notifications", isolation: fixture)
            try await manager.wait(isolation: fixture) { $0.heard.count > asked }
            await shell.settles(isolation: fixture)
            #expect(try await shell.nameOfWhatIsGone(isolation: fixture) == LocalizedStrings(.italian)[.gone])
        }
    }
}

extension Guest {
    fileprivate func has(_ name: String, isolation: isolated (any Actor)) async throws {
        let connection = try #require(connection)
        try await withCheckedThrowingContinuation { done in
            connection.requestName(name) { done.resume(with: $0) }
        }
    }

    fileprivate func nameOfWhatIsGone(isolation: isolated (any Actor)) async throws -> String? {
        let metas = try await asks(
            ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "GetResultMetas",
            [.strings(["gone"])], isolation: isolation)
        return metas[0]?.elements?.first?.properties?["name"]?.text
    }
}
