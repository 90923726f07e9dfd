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
        try await withPrivateBus { fixture, bus in
            let devices = try await RealDevices()
            let browser = try TestBrowser(in: devices.folder)
            try devices.openDoor(to: bus.address, with: ["PATH": browser.path])
            try await devices.publish("Apple pie", page: "https://pie.example/7")
            let shell = try await fixture.connect(to: bus.address)
            for name in [ShellSearch.name, RunnerSearch.name] { try await shell.waits(for: name, isolation: fixture) }
            // Types two words that find nothing, letter by letter, in both searches.
            for word in Self.typed {
                for count in 1...word.count {
                    #expect(try await shell.find([String(word.prefix(count))], isolation: fixture).isEmpty)
                }
            }
            #expect(try await shell.find(Self.typed, isolation: fixture).isEmpty)
            let found = try await shell.find(["pie"], isolation: fixture)
            #expect(found.count == 1)
            _ = try await shell.asks(
                ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "ActivateResult",
                [.string(found.first ?? ""), .strings(["pie"]), .uint32(0)], isolation: fixture)
            #expect(await browser.opens("https://pie.example/7"))
            let kept = try devices.everythingKept()
            #expect(kept.count > 10)
            for word in Self.typed {
                for (place, bytes) in kept {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(place) has what was typed")
                }
            }
        }
    }
}

extension Guest {
    /// Asks both searches, and returns the results of the shell's.
    fileprivate func find(_ words: [String], isolation: isolated (any Actor)) async throws -> [String] {
        let query = BusCall(
            RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Match", [.string(words.joined(separator: " "))])
        _ = try await call(query, isolation: isolation).get()
        return try await asks(
            ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2", "GetInitialResultSet",
            [.strings(words)], isolation: isolation)[0]?.strings ?? []
    }
}
