// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffDesktop
import HandoffWire
import TestBuses
import TestPrograms
import Testing

/// Who is behind a name on a real bus.
// Shows L05, T09.
@Suite(.timeLimit(.minutes(1))) struct CallerIdentityTests {
    @Test func aProgramIsKnownByTheFileThatItRuns() async throws {
        let bus = try await PrivateBus()
        let desk = try BusDesk()
        let program = try Program(
            [Program.built + "/handoff-bus", "--root", bus.folder + "/device"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let caller = try await desk.identity(ofWhoeverHas: InterfaceNames.bus, at: bus.address)
        var file = stat()
        try #require(stat(Program.built + "/handoff-bus", &file) == 0)
        #expect(caller.inode == file.st_ino && caller.device == file.st_dev)
        #expect(caller.path.hasSuffix("/handoff-bus"))
        #expect(caller.processID != getpid() && caller.names.isEmpty)
        program.send(SIGKILL)
        await desk.stop()
    }

    @Test func aNameCountsForItsOwnerAlone() async throws {
        let bus = try await PrivateBus()
        let desk = try BusDesk()
        try await desk.namesCount(at: bus.address)
        await desk.stop()
    }

    @Test func whoHasLeftIsNobody() async throws {
        let bus = try await PrivateBus()
        let desk = try BusDesk()
        try await desk.nobodyIsFound(at: bus.address)
        await desk.stop()
    }
}

extension BusDesk {
    private func find(
        _ name: String, claim: String? = nil, by guest: Guest
    ) async throws -> Result<BusCaller, BusFailure> {
        let identity = CallerIdentity(bus: try #require(guest.connection))
        return await withCheckedContinuation { done in
            identity.find(name, claim: claim) { done.resume(returning: $0) }
        }
    }

    fileprivate func identity(ofWhoeverHas name: String, at address: String) async throws -> BusCaller {
        let guest = try await connect(to: address)
        var owner: String?
        let watch = try #require(guest.connection).watchName(name) {
            owner = $0
            guest.hears(BusMessage())
        }
        try await guest.wait(isolation: self) { _ in owner != nil }
        withExtendedLifetime(watch) {}
        return try await find(try #require(owner), by: guest).get()
    }

    fileprivate func namesCount(at address: String) async throws {
        let (one, other) = (try await connect(to: address), try await connect(to: address))
        let name = "com.example.notes"
        let taken = await withCheckedContinuation { done in
            one.connection?.requestName(name) { done.resume(returning: $0) }
        }
        try taken.get()
        let (first, second) = (try #require(one.connection?.uniqueName), try #require(other.connection?.uniqueName))
        #expect(try await find(first, claim: name, by: other).get().names == [name])
        #expect(try await find(second, claim: name, by: other).get().names.isEmpty)
        #expect(try await find(first, claim: "com.example.nobody", by: other).get().names.isEmpty)
        #expect(try await find(first, claim: "no-name", by: other).get().names.isEmpty)
        #expect(try await find(first, claim: name, by: other).get().processID == getpid())
    }

    fileprivate func nobodyIsFound(at address: String) async throws {
        let guest = try await connect(to: address)
        switch try await find(":1.4711", by: guest) {
        case .success: Issue.record("somebody was found")
        case .failure(let failure): #expect(failure.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
        }
    }
}
