// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

@Suite(.timeLimit(.minutes(1))) struct TwoNamesTests {
    private func onADevice(
        _ body: @Sendable (isolated BusFixture, BusDevice) async throws -> Void
    ) async throws {
        let folder = "/tmp/handoff-names-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let device = try await BusDevice("laptop", in: folder)
        let daemon = try await device.startDaemon()
        try await withBusFixture { fixture in
            try await fixture.isReady(at: device.bus.address)
            try await body(fixture, device)
        }
        daemon.send(SIGKILL)
        _ = await daemon.wait { !$0.isRunning }
    }

    @Test func theNameToTakePartHasNothingElse() async throws {
        try await onADevice { fixture, device in
            let text = try String(
                contentsOfFile: String.repository + "/Protocol/dbus/org.handoff.Participant1.xml", encoding: .utf8)
            let committed = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
                .joined(separator: "\n")
            let guest = try await fixture.connect(to: device.bus.address)
            let said = try await guest.asks(
                InterfaceNames.participantBus, InterfaceNames.participantPath, "org.freedesktop.DBus.Introspectable",
                "Introspect", isolation: fixture)
            #expect(said[0]?.text == committed)
            let details = try await fixture.participate(
                guest, "Register", [.string(""), .objectPath("/a"), .properties([:])]
            ).get()
            #expect(details[0]?.properties?["device-name"] == .string("laptop"))
            let properties = BusValue.properties(["type": .string("com.example.reading")])
            _ = try await fixture.participate(guest, "Publish", [properties]).get()
            for (member, body) in [
                ("ListActivities", [BusValue.properties([:])]), ("ListSends", []),
                ("Continue", [.string(""), .string(""), .properties([:])]),
            ] {
                guard case .failure(let failure) = await fixture.participate(guest, member, body) else {
                    Issue.record("\(member) is there")
                    continue
                }
                #expect(failure.name == BusFailure.unknownMethod)
            }
        }
    }

    /// A sandbox's filter that admits a name admits all objects of its owner.
    @Test func theOwnerOfTheNameToTakePartHasNoOtherObject() async throws {
        try await onADevice { fixture, device in
            let guest = try await fixture.connect(to: device.bus.address)
            try await guest.waits(for: InterfaceNames.participantBus, isolation: fixture)
            let owner = { (name: String) async throws -> String in
                let answer = try await guest.call(.bus("GetNameOwner", [.string(name)]), isolation: fixture).get()
                return try #require(answer[0]?.text)
            }
            let participant = try await owner(InterfaceNames.participantBus)
            #expect(try await owner(InterfaceNames.bus) != participant)
            for (path, interface) in [
                (InterfaceNames.path, InterfaceNames.handoff), (ShellSearch.path, "org.gnome.Shell.SearchProvider2"),
                (RunnerSearch.path, "org.kde.krunner1"),
            ] {
                let call = BusCall(participant, path, interface, "ListSends")
                guard case .failure(let failure) = await guest.call(call, isolation: fixture) else {
                    Issue.record("\(path) is there")
                    continue
                }
                #expect(failure.name == BusFailure.unknownObject)
            }
        }
    }

    @Test func aProgramInASandboxMayOnlyTakePartUnlessItsUserSaysOtherwise() async throws {
        try await onADevice { _, device in
            // The proxy that calls for Flatpak's programs, identified by its executable.
            let proxy = device.root + "/xdg-dbus-proxy"
            try FileManager.default.copyItem(atPath: "/usr/bin/dbus-send", toPath: proxy)
            func call(_ name: String, _ path: String, _ member: String, _ argument: String) async throws -> String {
                try await CallingProgram.call(
                    by: proxy, at: device.bus.address, name, path, member, [argument]
                ).output
            }
            let getAll = "org.freedesktop.DBus.Properties.GetAll"
            let participant = try await call(
                InterfaceNames.participantBus, InterfaceNames.participantPath, getAll,
                "string:\(InterfaceNames.participant)")
            #expect(participant.contains("DeviceName"), "\(participant)")
            let refused = try await call(
                InterfaceNames.bus, InterfaceNames.path, getAll, "string:\(InterfaceNames.handoff)")
            #expect(refused.contains(BusFailure.accessDenied), "\(refused)")
            let search = try await call(
                ShellSearch.name, ShellSearch.path, "org.gnome.Shell.SearchProvider2.GetInitialResultSet",
                "array:string:a")
            #expect(search.contains(BusFailure.accessDenied), "\(search)")
            try await device.handoff("config", "set", "sandboxedPrograms", "control")
            let allowed = try await call(
                InterfaceNames.bus, InterfaceNames.path, getAll, "string:\(InterfaceNames.handoff)")
            #expect(allowed.contains("DeviceID"), "\(allowed)")
        }
    }
}

extension BusFixture {
    fileprivate func participate(_ guest: Guest, _ member: String, _ body: [BusValue]) async -> Result<
        BusMessage, BusFailure
    > {
        await guest.call(
            BusCall(
                InterfaceNames.participantBus, InterfaceNames.participantPath, InterfaceNames.participant, member, body),
            isolation: self)
    }
}
