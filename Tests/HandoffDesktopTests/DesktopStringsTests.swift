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
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.speaks(["LANG": "de_DE.UTF-8"], gone: "Nicht mehr verfügbar", at: bus.address)
        await fixture.stop()
    }

    @Test func languageOfTheSessionManagerIsUsed() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.followsTheManager(at: bus.address)
        await fixture.stop()
    }
}

extension BusFixture {
    fileprivate func speaks(_ environment: [String: String], gone: String, at address: String) async throws {
        let shell = try await begin(at: address, ScriptedDaemon(), environment: environment)
        #expect(try await shell.nameOfWhatIsGone(isolation: self) == gone)
        let actions = try await shell.asks(
            RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Actions", isolation: self)
        #expect(actions[0]?.elements?.first?.elements?[1].text == LocalizedStrings(.german)[.openInBrowser])
    }

    /// The session announces its language after this program started.
    fileprivate func followsTheManager(at address: String) async throws {
        let manager = try await connect(to: address)
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
        try await manager.has("org.freedesktop.systemd1", isolation: self)
        let shell = try await begin(at: address, ScriptedDaemon(), environment: ["LANG": "en_US.UTF-8"])
        try await manager.wait(isolation: self) { !$0.heard.isEmpty }
        await shell.settles(isolation: self)
        #expect(try await shell.nameOfWhatIsGone(isolation: self) == LocalizedStrings(.french)[.gone])

        environment = ["LANG=fr_FR.UTF-8", "LANGUAGE=it:fr", "broken"]
        let asked = manager.heard.count
        let server = try await connect(to: address)
        try await server.has("org.freedesktop.Notifications", isolation: self)
        try await manager.wait(isolation: self) { $0.heard.count > asked }
        await shell.settles(isolation: self)
        #expect(try await shell.nameOfWhatIsGone(isolation: self) == LocalizedStrings(.italian)[.gone])
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
