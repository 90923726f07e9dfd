// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// With real daemons on two devices, handoff-bus itself, and a browser that records its pages.
@Suite(.timeLimit(.minutes(2))) struct RealSearchTests {
    /// Two unusual words: the typed text, and the title to find.
    private static let typed = ["quittengelee", "zwetschgenmus"]

    // Shows L11, B16: from a keystroke in the shell's search to the opened page.
    @Test func searchResultContinuesHereAndNoQueryIsStored() async throws {
        let bus = try await PrivateBus()
        let devices = try await RealDevices()
        let browser = try TestBrowser(in: devices.folder)
        try devices.openDoor(to: bus.address, with: ["PATH": browser.path])
        try await devices.publish("Apple pie", page: "https://pie.example/7")
        let fixture = try BusFixture()
        try await fixture.searches(at: bus.address, for: Self.typed)
        #expect(await browser.opens("https://pie.example/7"))
        let kept = try devices.everythingKept()
        #expect(kept.count > 10)
        for word in Self.typed {
            for (place, bytes) in kept {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(place) has what was typed")
            }
        }
        await fixture.stop()
        withExtendedLifetime(bus) {}
    }
}

extension BusFixture {
    /// Types two words that find nothing, letter by letter, in both searches. Then types a word that finds an activity,
    /// and continues it.
    fileprivate func searches(at address: String, for words: [String]) async throws {
        let shell = try await connect(to: address)
        for name in [ShellSearch.name, RunnerSearch.name] { try await shell.waits(for: name, isolation: self) }
        func find(_ words: [String]) async throws -> [String] {
            let query = BusCall(
                RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Match",
                [.string(words.joined(separator: " "))])
            _ = try await shell.call(query, isolation: self).get()
            return try await shell.asks(
                ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "GetInitialResultSet",
                [.strings(words)], isolation: self)[0]?.strings ?? []
        }
        for word in words {
            for count in 1...word.count { #expect(try await find([String(word.prefix(count))]).isEmpty) }
        }
        #expect(try await find(words).isEmpty)
        let found = try await find(["pie"])
        #expect(found.count == 1)
        _ = try await shell.asks(
            ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "ActivateResult",
            [.string(found.first ?? ""), .strings(["pie"]), .uint32(0)], isolation: self)
    }
}
