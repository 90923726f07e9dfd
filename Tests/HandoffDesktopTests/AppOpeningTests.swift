// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBuses
import TestPrograms
import Testing

@testable import HandoffApp

/// On a real bus.
@Suite(.timeLimit(.minutes(1))) struct AppOpeningTests {
    private let url = "notes://7?token=\(UUID().uuidString)"

    private func open(_ url: String, _ environment: [String: String]) async throws -> String? {
        let url = try #require(URL(string: url))
        return await withCheckedContinuation { done in
            URLOpener(environment: environment).open(url) { done.resume(returning: $0) }
        }
    }

    @Test func thePortalGetsTheURLAndNoArgumentHasIt() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.bePortal(at: bus.address, lookingFor: url)
        #expect(try await open(url, ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/nonexistent"]) == nil)
        #expect(try await fixture.opened() == [[url, ""]])
        let shown = await fixture.processesShowing(url)
        #expect(shown.isEmpty, "\(shown)")
        await fixture.stop()
    }

    @Test func openerGetsNothingThatBelongsToTheAppsService() async throws {
        let folder = "/tmp/handoff-pages-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let browser = try TestBrowser(in: folder)
        let program = "#!/bin/sh\nenv | cut -d= -f1 | tr '\\n' ' ' >'\(folder)/opened'\n"
        try Program.write(program, to: folder + "/programs/gio")
        let environment = [
            "PATH": browser.path, "DISPLAY": ":7", "NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1",
            "LISTEN_FDS": "1", "SECRET": "s",
        ]
        #expect(try await open(url, environment) == nil)
        let names = try String(contentsOfFile: folder + "/opened", encoding: .utf8).split(separator: " ")
        #expect(names.contains("DISPLAY") && names.contains("PATH"))
        let others = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "SECRET"]
        #expect(!names.contains { others.contains(String($0)) }, "\(names)")
    }
}
