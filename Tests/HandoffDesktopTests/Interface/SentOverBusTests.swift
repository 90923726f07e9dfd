// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// A program on the bus sends to a chosen device, with two real devices.
// Shows L05, W04.
@Suite(.timeLimit(.minutes(2))) struct SentOverBusTests {
    private func offering(_ title: String, on pair: BusPair) async throws -> Program {
        let script = try pair.laptop.start([
            Program.built + "/handoff", "activity", "publish", "--type", "com.example.notes", "--title", title,
        ])
        try await pair.desktop.sees(title)
        return script
    }

    @Test func aProgramSendsAndTheOtherDeviceKeepsAndDismisses() async throws {
        let pair = try await BusPair()
        try await withBusFixture { fixture in
            let script = try await offering("Poems", on: pair)
            let id = try await fixture.sends("taken", at: pair.laptop.bus.address)
            let guest = try await fixture.waitsForHandoff(at: pair.desktop.bus.address)
            let sent = try await guest.finds(isolation: fixture) { $0["sent"] == .boolean(true) }
            #expect(sent["id"] == id)
            let device = try #require(sent["device"])
            _ = try await guest.handoff("Dismiss", [id, .string("")], isolation: fixture).get()
            #expect(
                await guest.failure("Dismiss", [id, device], isolation: fixture) == "org.handoff.Error.ActivityGone")
            #expect(try await pair.desktop.handoff("activity", "list").contains("(sent)") == false)
            script.send(SIGKILL)
        }
    }

    @Test func waitingSendIsListedAndTakenBack() async throws {
        let pair = try await BusPair()
        try await withBusFixture { fixture in
            let script = try await offering("Poems", on: pair)
            pair.crashDesktop()
            let id = try await fixture.sends("waiting", at: pair.laptop.bus.address)
            let guest = try await fixture.waitsForHandoff(at: pair.laptop.bus.address)
            let list = try await guest.handoff("ListSends", isolation: fixture).get()[0]?.elements
            let ids = list?.compactMap { $0.properties?["id"] }
            #expect(ids == [id])
            _ = try await guest.handoff("Unsend", [id], isolation: fixture).get()
            #expect(try await guest.handoff("ListSends", isolation: fixture).get()[0]?.elements?.isEmpty == true)
            #expect(await guest.failure("Unsend", [id], isolation: fixture) == "org.handoff.Error.ActivityGone")
            script.send(SIGKILL)
        }
    }
}

extension BusFixture {
    /// Sends this device's activity to the desktop. Returns the id of the send.
    fileprivate func sends(_ standing: String, at address: String) async throws -> BusValue {
        let guest = try await waitsForHandoff(at: address)
        let own = try await guest.finds(isolation: self) { $0["this-device"] == .boolean(true) }
        let id = try #require(own["id"])
        let none = BusValue.properties([:])
        #expect(
            await guest.failure("Send", [id, .string("tablet"), none], isolation: self)
                == "org.handoff.Error.NoSuchDevice")
        #expect(
            await guest.failure("Send", [.string("x"), .string("desktop"), none], isolation: self)
                == BusFailure.invalidArguments)
        let sent = try await guest.handoff("Send", [id, .string("desktop"), none], isolation: self).get()[0]?.properties
        #expect(sent?["standing"] == .string(standing))
        #expect(sent?["device-name"] == .string("desktop"))
        #expect(sent?["title"] == .string("Poems"))
        return try #require(sent?["id"])
    }
}
