// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// The real adapter host, which the bus starts. Shows M01.
@Suite(.timeLimit(.minutes(1))) struct AdapterStartTests {
    private let mpv = try! BundleID(systemProgram: "mpv")

    /// Returns once the bus knows it.
    private func service(on bus: PrivateBus, _ fixture: isolated BusFixture) async throws {
        let program = String.repository + "/.build/debug/handoff-adapters"
        let text = "[D-BUS Service]\nName=\(AdapterStart.name)\nExec=\(program)\n"
        try text.write(toFile: "\(bus.folder)/\(AdapterStart.name).service", atomically: true, encoding: .utf8)
        let guest = try await fixture.connect(to: bus.address)
        _ = try await guest.call(.bus("ReloadConfig", []), isolation: fixture).get()
    }

    private func owned(_ name: String, by guest: Guest, isolation: isolated (any Actor)) async throws -> Bool {
        try await guest.call(.bus("NameHasOwner", [.string(name)]), isolation: isolation).get()[0]?.flag ?? false
    }

    @Test func hostIsStartedWhenAPlayerAppears() async throws {
        try await withPrivateBus { fixture, bus in
            try await service(on: bus, fixture)
            let daemon = ScriptedDaemon()
            daemon.rule(PolicySummary(programs: [mpv]))
            let guest = try await fixture.begin(at: bus.address, daemon)
            await guest.settles(isolation: fixture)
            #expect(try await !owned(AdapterStart.name, by: guest, isolation: fixture))
            guest.connection?.requestName("org.mpris.MediaPlayer2.mpv") { _ in }
            try await guest.waits(for: AdapterStart.name, isolation: fixture)
        }
    }

    @Test func hostIsNotStartedForProgramsThatAreOff() async throws {
        try await withPrivateBus { fixture, bus in
            try await service(on: bus, fixture)
            let daemon = ScriptedDaemon()
            daemon.rule(PolicySummary())
            let guest = try await fixture.begin(at: bus.address, daemon)
            guest.connection?.requestName("org.mpris.MediaPlayer2.mpv") { _ in }
            await guest.settles(isolation: fixture)
            // The bus would have begun to start it before it answers this.
            await guest.settles(isolation: fixture)
            let activated = try await guest.call(.bus("ListActivatableNames", []), isolation: fixture).get()
            #expect(activated[0]?.strings?.contains(AdapterStart.name) ?? false)
            #expect(try await !owned(AdapterStart.name, by: guest, isolation: fixture))
        }
    }

    @Test func programsThatAreOnAreAPropertyOfTheWholeInterfaceOnly() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            daemon.rule(PolicySummary(programs: [mpv]))
            let guest = try await fixture.begin(at: bus.address, daemon)
            let programs = try await guest.asks(
                InterfaceNames.bus, InterfaceNames.path, "org.freedesktop.DBus.Properties", "Get",
                [.string(InterfaceNames.handoff), .string("Programs")], isolation: fixture)
            #expect(programs[0]?.strings == ["system:mpv"])
            let call = BusCall(
                InterfaceNames.participantBus, InterfaceNames.participantPath, "org.freedesktop.DBus.Properties", "Get",
                [.string(InterfaceNames.participant), .string("Programs")])
            guard case .failure = await guest.call(call, isolation: fixture) else {
                Issue.record("programs in a sandbox see it")
                return
            }
        }
    }

    @Test func nameForTakingPartAdmitsNoSystemProgram() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            let guest = try await fixture.begin(at: bus.address, daemon)
            let body: [BusValue] = [.string("system:mpv"), .objectPath("/a"), .properties([:])]
            try await guest.waits(for: InterfaceNames.participantBus, isolation: fixture)
            let call = BusCall(
                InterfaceNames.participantBus, InterfaceNames.participantPath, InterfaceNames.participant, "Register",
                body)
            guard case .failure(let failure) = await guest.call(call, isolation: fixture) else {
                Issue.record("registered")
                return
            }
            #expect(failure.name == BusFailure.accessDenied)
            _ = try await guest.asks(
                InterfaceNames.bus, InterfaceNames.path, InterfaceNames.handoff, "Register", body, isolation: fixture)
        }
    }
}
