// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import Foundation
import HandoffBus
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Identifies the program behind a name on a real bus.
// Shows L05, T09.
@Suite(.timeLimit(.minutes(1))) struct CallerIdentityTests {
    /// The answer to `GetConnectionCredentials` of a bus that holds processes: dbus-daemon 1.15.8 or later.
    private func credentials(_ process: Int32, holding held: Int32) throws -> BusValue {
        let descriptor = SharedDescriptor(taking: chandoff_open_process(held))
        try #require(descriptor.number >= 0)
        return .properties([
            "ProcessID": .uint32(UInt32(process)), "UnixUserID": .uint32(getuid()),
            "ProcessFD": .descriptor(descriptor),
            "LinuxSecurityLabel": .bytes(Array("snap.notes.notes (enforce)\0".utf8)),
        ])
    }

    @Test func aProgramIsKnownByTheFileOfTheProcessThatTheBusHolds() async throws {
        let program = try Program(["/bin/sleep", "60"], environment: [:])
        let peer = try #require(BusPeer(try credentials(program.id, holding: program.id)))
        #expect(peer.processID == program.id && peer.userID == getuid())
        #expect(peer.securityLabel == "snap.notes.notes (enforce)")
        let file = try #require(FileNumbers(of: "/bin/sleep"))
        let proven = try #require(CallerIdentity.provenFile(of: peer))
        #expect(proven.inode == file.inode && proven.device == file.device)
        program.send(SIGKILL)
    }

    @Test func aNumberThatWasReusedProvesNothing() async throws {
        let (ended, other) = (
            try Program(["/bin/sleep", "60"], environment: [:]), try Program(["/bin/sleep", "60"], environment: [:])
        )
        let peer = try #require(BusPeer(try credentials(other.id, holding: ended.id)))
        ended.send(SIGKILL)
        _ = await ended.wait { !$0.isRunning }
        #expect(CallerIdentity.provenFile(of: peer) == nil)
        other.send(SIGKILL)
    }

    /// Works with either version of dbus-daemon.
    @Test func aNumberAloneProvesNothing() async throws {
        let number = BusPeer(processID: getpid(), userID: getuid())
        #expect(CallerIdentity.provenFile(of: number) == nil)
        try await withPrivateBus { fixture, bus in
            let guest = try await fixture.connect(to: bus.address)
            let connection = try #require(guest.connection)
            let peer = await withCheckedContinuation { done in
                connection.process(behind: connection.uniqueName) { done.resume(returning: $0) }
            }
            let found = try await fixture.find(connection.uniqueName, by: guest).get()
            #expect(!found.shownName.isEmpty)
            #expect((found.caller.file != nil) == (try peer.get().process != nil))
            #expect(found.caller.processID == getpid() && found.caller.names.isEmpty)
        }
    }

    @Test func busNameIsValidForItsOwnerOnly() async throws {
        try await withPrivateBus { fixture, bus in
            let (one, other) = (try await fixture.connect(to: bus.address), try await fixture.connect(to: bus.address))
            let name = "com.example.notes"
            let taken = await withCheckedContinuation { done in
                one.connection?.requestName(name) { done.resume(returning: $0) }
            }
            try taken.get()
            let (first, second) = (try #require(one.connection?.uniqueName), try #require(other.connection?.uniqueName))
            #expect(try await fixture.find(first, claim: name, by: other).get().caller.names == [name])
            #expect(try await fixture.find(second, claim: name, by: other).get().caller.names.isEmpty)
            #expect(try await fixture.find(first, claim: "com.example.nobody", by: other).get().caller.names.isEmpty)
            #expect(try await fixture.find(first, claim: "no-name", by: other).get().caller.names.isEmpty)
            #expect(try await fixture.find(first, claim: name, by: other).get().caller.processID == getpid())
        }
    }

    @Test func callerThatLeftIsNotIdentified() async throws {
        try await withPrivateBus { fixture, bus in
            let guest = try await fixture.connect(to: bus.address)
            switch try await fixture.find(":1.4711", by: guest) {
            case .success: Issue.record("somebody was found")
            case .failure(let failure): #expect(failure.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
            }
        }
    }
}

extension BusFixture {
    fileprivate func find(
        _ name: String, claim: String? = nil, by guest: Guest
    ) async throws -> Result<CallerIdentity.Found, BusFailure> {
        let identity = CallerIdentity(
            bus: try #require(guest.connection), sandboxes: SandboxGuard(Locations(root: "/nowhere"), on: loop))
        return await withCheckedContinuation { done in
            identity.find(name, claim: claim) { done.resume(returning: $0) }
        }
    }
}
