// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import TestBuses
import Testing

@testable import HandoffDesktop

/// One program floods an object of this program while another one is served. For each kind of object, on a real bus.
@Suite(.timeLimit(.minutes(2)), .serialized) struct FloodedDesktopTests {
    struct Served: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let path: String
        let interface: String
        let member: String
        let signature: String
    }

    static let objects = [
        Served(
            testDescription: "search", name: ShellSearch.name, path: ShellSearch.path,
            interface: "org.gnome.Shell.SearchProvider2", member: "GetInitialResultSet", signature: "as"),
        Served(
            testDescription: "runner", name: RunnerSearch.name, path: RunnerSearch.path, interface: "org.kde.krunner1",
            member: "Match", signature: "s"),
        Served(
            testDescription: "tray", name: Tray.name, path: TrayMenu.path, interface: "com.canonical.dbusmenu",
            member: "GetGroupProperties", signature: "aias"),
        Served(
            testDescription: "interface", name: InterfaceNames.bus, path: InterfaceNames.path,
            interface: InterfaceNames.handoff, member: "ListActivities", signature: "a{sv}"),
    ]

    @Test(arguments: objects) func aFloodOfOneProgramHoldsUpNoOther(_ served: Served) async throws {
        try await withPrivateBus { fixture, bus in
            let watcher = try await fixture.connect(to: bus.address)
            try await withCheckedContinuation { done in
                watcher.connection?.requestName(Tray.watcher) { done.resume(returning: $0) }
            }.get()
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")])
            let guest = try await fixture.begin(at: bus.address, daemon, tray: .on)
            try await guest.waits(for: served.name, isolation: fixture)
            let owner = BusCall.bus("GetNameOwner", [.string(served.name)])
            let before = try await guest.call(owner, isolation: fixture).get()[0]?.text
            let count = 500
            let flood = try FloodingProgram(
                at: bus.address, served.name, served.path, served.interface, served.member, served.signature,
                count: count)
            try await flood.hasSentHalf()
            try await isServed(served, at: bus.address)
            try await flood.hasSentAll()
            // Answered after all of them.
            try await isServed(served, at: bus.address)
            let tally = try await flood.tally()
            #expect(tally.answered + tally.failed <= BusLimits.callBurst)
            #expect(tally.refused <= 2 * BusLimits.refusals)
            #expect(tally.answered + tally.failed + tally.refused < count)
            let after = try await guest.call(owner, isolation: fixture).get()[0]?.text
            #expect(after == before, "the connection to the bus is the same")
            withExtendedLifetime(watcher) {}
        }
    }

    private func isServed(_ served: Served, at address: String) async throws {
        let call = try await CallingProgram.call(
            at: address, served.name, served.path, "org.freedesktop.DBus.Properties.GetAll",
            "string:\(served.interface)")
        #expect(call.succeeded, "\(call.output)")
    }
}
