// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Adapters of other authors, which the bus starts. Shows M06.
@Suite(.timeLimit(.minutes(1))) struct AdapterKeeperTests {
    private static let name = "org.handoff.Adapter.org.example.Reader"
    private static let program = try! BundleID(systemProgram: "org.example.Reader")
    /// Owns the name until it is killed.
    private static let adapter = """
        #!/usr/bin/python3
        from gi.repository import Gio, GLib
        Gio.bus_own_name(Gio.BusType.SESSION, "\(name)", 0, None, None, None)
        GLib.MainLoop().run()

        """

    private func install(on bus: PrivateBus, _ fixture: isolated BusFixture) async throws {
        let file = bus.folder + "/adapter"
        try Program.write(Self.adapter, to: file)
        let service = "[D-BUS Service]\nName=\(Self.name)\nExec=\(file)\n"
        try service.write(toFile: "\(bus.folder)/\(Self.name).service", atomically: true, encoding: .utf8)
        let guest = try await fixture.connect(to: bus.address)
        _ = try await guest.call(.bus("ReloadConfig", []), isolation: fixture).get()
    }

    /// A process that has the name, other than `last`.
    private func owner(other last: Int64? = nil, _ guest: Guest, isolation: isolated (any Actor)) async throws -> Int64
    {
        var changes: [String?] = []
        let watch = try guest.connection?.watchName(Self.name) { owner in
            changes.append(owner)
            guest.hears(BusMessage(member: "Owner"))
        }
        defer { withExtendedLifetime(watch) {} }
        while true {
            let seen = guest.heard.count
            let call = BusCall.bus("GetConnectionUnixProcessID", [.string(Self.name)])
            let id = try? await guest.call(call, isolation: isolation).get()[0]?.integer
            if let id, id != last { return id }
            try await guest.wait(isolation: isolation) { $0.heard.count > seen }
        }
    }

    @Test func adapterRunsWhileItsProgramIsOn() async throws {
        try await withPrivateBus { fixture, bus in
            try await install(on: bus, fixture)
            let daemon = ScriptedDaemon()
            daemon.rule(PolicySummary())
            let guest = try await fixture.begin(at: bus.address, daemon)
            await guest.settles(isolation: fixture)
            let call = BusCall.bus("NameHasOwner", [.string(Self.name)])
            #expect(try await guest.call(call, isolation: fixture).get()[0]?.flag == false)
            daemon.rule(PolicySummary(programs: [Self.program]))
            let first = try await owner(guest, isolation: fixture)
            kill(pid_t(first), SIGKILL)
            let second = try await owner(other: first, guest, isolation: fixture)

            daemon.rule(PolicySummary())
            await guest.settles(isolation: fixture)
            var owners: [String?] = []
            let watch = try guest.connection?.watchName(Self.name) {
                owners.append($0)
                guest.hears(BusMessage(member: "Owner"))
            }
            kill(pid_t(second), SIGKILL)
            try await guest.wait(isolation: fixture) { _ in owners.last == .some(nil) }
            // Longer than the delay before another start.
            await #expect(throws: Guest.Silence.self) {
                try await guest.wait(.seconds(4), isolation: fixture) { _ in owners.last != .some(nil) }
            }
            withExtendedLifetime(watch) {}
        }
    }

    @Test func delayBeforeAnotherStartDoublesToItsLimit() {
        #expect(AdapterKeeper.waits.first == .seconds(1))
        #expect(AdapterKeeper.waits.last == .seconds(600))
    }
}
