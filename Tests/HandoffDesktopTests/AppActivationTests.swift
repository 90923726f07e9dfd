// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import TestBuses
import TestPrograms
import Testing

/// Starting apps over the bus, on real buses.
// Shows L02.
@Suite(.timeLimit(.minutes(1))) struct AppActivationTests {
    private static let name = "org.example.My-Notes"

    private func activate(_ name: String, at bus: String, token: String? = nil) throws -> Program {
        var environment = ["DBUS_SESSION_BUS_ADDRESS": bus]
        environment["XDG_ACTIVATION_TOKEN"] = token
        return try Program([Program.built + "/handoff-bus", "--activate", name], environment: environment)
    }

    private func expectFailure(_ program: Program, _ reason: String) async {
        #expect(await program.end() == 1)
        #expect(program.errors == "handoff-bus: \(reason)\n")
    }

    @Test func anAppIsToldToShowItselfWithTheTokenOfTheWindow() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.beApp(Self.name, at: bus.address)
        let program = try activate(Self.name, at: bus.address, token: "window-7")
        #expect(await program.end() == 0)
        #expect(program.errors == "")
        #expect(try await fixture.told() == [["activation-token": "window-7", "desktop-startup-id": "window-7"]])
        #expect(await (try activate(Self.name, at: bus.address)).end() == 0)
        #expect(try await fixture.told().last == [:])
        await fixture.stop()
    }

    @Test func anAppThatTheBusCannotStartIsNamed() async throws {
        let bus = try await PrivateBus()
        let reason =
            "no D-Bus service file starts \(Self.name), although its desktop entry says DBusActivatable"
        await expectFailure(try activate(Self.name, at: bus.address), reason)
    }

    @Test func anAppWithoutTheInterfaceIsNamed() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.own(Self.name, at: bus.address)
        let program = try activate(Self.name, at: bus.address)
        await expectFailure(program, "\(Self.name) does not have the interface org.freedesktop.Application")
        await fixture.stop()
    }

    @Test func anInvalidNameIsRefused() async throws {
        let bus = try await PrivateBus()
        let program = try activate("not a name", at: bus.address)
        #expect(await program.end() == 1)
        #expect(program.errors.hasPrefix("handoff-bus: "))
    }
}

extension BusFixture {
    /// Serves nothing.
    fileprivate func own(_ name: String, at address: String) async throws {
        let guest = try await connect(to: address)
        self.guest = guest
        await withCheckedContinuation { done in
            guest.connection?.requestName(name) { _ in done.resume() }
        }
    }

    /// Implements an app according to the Desktop Entry Specification.
    fileprivate func beApp(_ name: String, at address: String) async throws {
        try await own(name, at: address)
        guard let guest, let bus = guest.connection else { return }
        let activate = BusInterface.Method("Activate", takes: [.init("platform_data", "a{sv}")]) { message, reply in
            guest.hears(message)
            reply.answer()
        }
        let path = "/" + name.replacing(".", with: "/").replacing("-", with: "_")
        guest.kept.append(
            try BusObject([BusInterface("org.freedesktop.Application", methods: [activate])], at: path, on: bus))
    }

    fileprivate func told() throws -> [[String: String]] {
        (guest?.heard ?? []).map { ($0[0]?.properties ?? [:]).compactMapValues(\.text) }
    }
}
