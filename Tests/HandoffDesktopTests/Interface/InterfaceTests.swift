// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// `org.handoff.Handoff1` as seen by programs on a real bus, with a real daemon.
// Shows L05.
@Suite(.timeLimit(.minutes(1))) struct InterfaceTests {
    private func onADevice(
        _ body: @Sendable (isolated BusFixture, BusDevice, Program) async throws -> Void
    ) async throws {
        let folder = "/tmp/handoff-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let device = try await BusDevice("laptop", in: folder)
        let daemon = try await device.startDaemon()
        try await withBusFixture { fixture in try await body(fixture, device, daemon) }
        daemon.send(SIGKILL)
        _ = await daemon.wait { !$0.isRunning }
    }

    private static func committed(_ name: String) throws -> String {
        let text = try String(contentsOfFile: String.repository + "/Protocol/dbus/\(name).xml", encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }

    @Test func introspectionMatchesTheCommittedProtocol() async throws {
        try await onADevice { fixture, device, _ in
            let guest = try await fixture.waitsForHandoff(at: device.bus.address)
            let call = BusCall(
                InterfaceNames.bus, InterfaceNames.path, "org.freedesktop.DBus.Introspectable", "Introspect")
            let said = try await guest.call(call, isolation: fixture).get()[0]?.text
            #expect(said == (try Self.committed(InterfaceNames.handoff)))
        }
        for interface in InterfaceNames.otherInterfaces {
            #expect(BusInterface.document([interface]) == (try Self.committed(interface.name)))
        }
    }

    @Test func propertiesSayWhoThisIsAndChangeWithIt() async throws {
        try await onADevice { fixture, device, daemon in
            let guest = try await fixture.waitsForHandoff(at: device.bus.address)
            #expect(try await guest.property("DeviceName", isolation: fixture)?.text == "laptop")
            #expect(try await guest.property("Account", isolation: fixture)?.text == "")
            let watch = try guest.connection?.onSignal(
                "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", from: InterfaceNames.bus
            ) { guest.hears($0) }
            _ = try await guest.property("Version", isolation: fixture)
            try await device.handoff("account", "create")
            try await guest.wait(isolation: fixture) { $0.heard.contains { $0[1]?.properties?["Account"] != nil } }
            let devices = try await guest.property("Devices", isolation: fixture)?.elements
            #expect(devices?.count == 1)
            #expect(devices?.first?.properties?["name"] == .string("laptop"))
            guest.heard = []
            try await device.handoff("device", "rename", "lap")
            try await guest.wait(isolation: fixture) {
                $0.heard.contains { $0[1]?.properties?["DeviceName"] == .string("lap") }
            }
            daemon.send(SIGKILL)
            try await guest.wait(isolation: fixture) {
                $0.heard.contains { $0[1]?.properties?["DeviceID"] == .string("") }
            }
            #expect(
                await guest.failure("ListActivities", [.properties([:])], isolation: fixture) == BusFailure.noDaemon)
            withExtendedLifetime(watch) {}
        }
    }

    @Test func offersOfOtherDevicesAreSignalled() async throws {
        let pair = try await BusPair()
        try await withBusFixture { fixture in
            let guest = try await fixture.waitsForHandoff(at: pair.desktop.bus.address)
            let watch = try guest.connection?.onSignal(
                InterfaceNames.handoff, "ActivitiesChanged", "aa{sv}", from: InterfaceNames.bus
            ) { guest.hears($0) }
            _ = try await guest.property("Version", isolation: fixture)
            let script = try pair.laptop.start(
                [
                    Program.built + "/handoff", "activity", "publish", "--type", "com.example.reading", "--title",
                    "Chapter 3",
                ])
            func titles(_ message: BusMessage) -> [String?]? {
                message[0]?.elements?.map { $0.properties?["title"]?.text }
            }
            try await guest.wait(isolation: fixture) { $0.heard.contains { titles($0) == ["Chapter 3"] } }
            script.send(SIGTERM)
            try await guest.wait(isolation: fixture) { $0.heard.last.map { titles($0) == [] } ?? false }
            withExtendedLifetime(watch) {}
        }
    }

    @Test func offersAreListedOnceTheBusNameAppears() async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")], isThere: true)
            daemon.hold()
            let guest = try await fixture.begin(at: bus.address, daemon, isThere: false, waits: false)
            // Long enough to notice a name that is requested too early.
            for _ in 1...20 { await guest.settles(isolation: fixture) }
            let name = BusCall.bus("NameHasOwner", [.string(InterfaceNames.bus)])
            #expect(try await guest.call(name, isolation: fixture).get()[0] == .boolean(false))
            daemon.tell()
            try await guest.waits(for: InterfaceNames.bus, isolation: fixture)
            let list = try await guest.handoff("ListActivities", [.properties([:])], isolation: fixture).get()
            let titles = list[0]?.elements?.map { $0.properties?["title"]?.text }
            #expect(titles == ["Shopping list"])
        }
    }

    @Test func mistakesAreNamed() async throws {
        try await onADevice { fixture, device, _ in
            let guest = try await fixture.waitsForHandoff(at: device.bus.address)
            let (object, none) = (BusValue.objectPath("/org/example/app"), BusValue.properties([:]))
            let failure = { (member: String, body: BusValue...) async -> String? in
                await guest.failure(member, body, isolation: fixture)
            }
            #expect(await failure("Publish", none) == BusFailure.notRegistered)
            #expect(await failure("Unregister") == BusFailure.notRegistered)
            #expect(await failure("ListActivities", .properties(["al": .boolean(true)])) == BusFailure.invalidArguments)
            #expect(await failure("Continue", .string("x"), .string(""), none) == BusFailure.invalidArguments)
            #expect(await failure("Register", .string("../etc"), object, none) == BusFailure.invalidArguments)
            #expect(await failure("Register", .string(""), object, none) == nil)
            #expect(await failure("Register", .string(""), object, none) == BusFailure.alreadyRegistered)
            #expect(await failure("Publish", none) == BusFailure.invalidArguments)
            let type = BusValue.string("com.example.reading")
            #expect(
                await failure("Publish", .properties(["type": type, "colour": type])) == BusFailure.invalidArguments)
            let page = BusValue.properties(["type": type, "web-page-url": .string("file:///etc/passwd")])
            #expect(await failure("Publish", page) == BusFailure.invalidArguments)
            let large = BusValue.properties(["a": .bytes(Array(repeating: 1, count: 200_000))])
            #expect(
                await failure("Publish", .properties(["type": type, "user-info": large]))
                    == "org.handoff.Error.PayloadTooLarge")
            let id = BusValue.string(String(repeating: "0", count: 32))
            for member in ["Withdraw", "Changed"] {
                #expect(await failure(member, id) == "org.handoff.Error.ActivityGone")
            }
            #expect(await failure("OpenStream", id) == BusFailure.accessDenied)
        }
    }

    @Test func offeredActivityIsSavedWithItsState() async throws {
        try await onADevice { fixture, device, _ in
            try await device.handoff("account", "create")
            let guest = try await fixture.offers("Poems", at: device.bus.address)
            try await device.sees("Poems")
            let again = try await guest.handoff("Publish", [.publication("Novels")], isolation: fixture).get()[0]
            try await device.sees("Novels")
            let id = try #require(again)
            _ = try await guest.handoff("Update", [id, .properties(["title": .string("Plays")])], isolation: fixture)
                .get()
            try await device.sees("Plays")
            let watch = try device.start([Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
            try await watch.hear("Plays")
            _ = try await guest.handoff("Withdraw", [id], isolation: fixture).get()
            try await watch.hear("[]")
            _ = try await guest.handoff("Unregister", isolation: fixture).get()
            #expect(await guest.failure("Publish", [.publication("x")], isolation: fixture) == BusFailure.notRegistered)
            watch.send(SIGKILL)
        }
    }

    @Test func aCallerThatLeavesTakesWhatItOffersWithIt() async throws {
        try await onADevice { fixture, device, _ in
            try await device.handoff("account", "create")
            try await fixture.offers("Leaving", at: device.bus.address)
            let watch = try device.start([Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
            try await watch.hear("Leaving")
            fixture.guest = nil
            try await watch.hear("[]")
            watch.send(SIGKILL)
        }
    }

    @Test func restartedDaemonReceivesTheOffersAgain() async throws {
        try await onADevice { fixture, device, daemon in
            try await device.handoff("account", "create")
            try await fixture.offers("Kept", at: device.bus.address)
            daemon.send(SIGKILL)
            _ = await daemon.wait { !$0.isRunning }
            let next = try await device.startDaemon()
            try await device.sees("Kept")
            next.send(SIGKILL)
            _ = await next.wait { !$0.isRunning }
        }
    }

    @Test func aBusThatDiesEndsWhatIsOfferedOverIt() async throws {
        try await onADevice { fixture, device, _ in
            try await device.handoff("account", "create")
            try await fixture.offers("Gone", at: device.bus.address)
            try await device.sees("Gone")
            let watch = try device.start(
                [Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
            try await watch.hear("Gone")
            await device.bus.kill()
            try await watch.hear("[]")
            watch.send(SIGKILL)
            #expect(device.door.isRunning)
        }
    }

    // MARK: Limits

    @Test func asManyConnectionsOfOneProcessMayTakePartAsTheLimitSays() async throws {
        try await onADevice { fixture, device, _ in
            var guests: [Guest] = []
            for _ in 0..<InterfaceLimits.participantsPerProcess {
                let guest = try await fixture.waitsForHandoff(at: device.bus.address)
                _ = try await guest.takesPart(isolation: fixture)
                guests.append(guest)
            }
            let tooMany = try await fixture.connect(to: device.bus.address)
            let body: [BusValue] = [.string(""), .objectPath("/a"), .properties([:])]
            #expect(await tooMany.failure("Register", body, isolation: fixture) == BusFailure.limitsExceeded)
            _ = try await guests[0].handoff("Unregister", isolation: fixture).get()
            #expect(await tooMany.failure("Register", body, isolation: fixture) == nil)
            let other = try device.start([
                "/usr/bin/busctl", "--address=\(device.bus.address)", "call", InterfaceNames.bus, InterfaceNames.path,
                InterfaceNames.handoff, "Register", "soa{sv}", "", "/a", "0",
            ])
            #expect(await other.end() == 0, "\(other.errors)")
            withExtendedLifetime((guests, tooMany)) {}
        }
    }

    @Test func pendingContinuationsOfAProgramAreLimited() async throws {
        try await onADevice { fixture, device, daemon in
            let guest = try await fixture.waitsForHandoff(at: device.bus.address)
            let watch = try guest.connection?.onSignal(
                InterfaceNames.continuation, "Finished", "ba{sv}", from: InterfaceNames.bus
            ) { guest.hears($0) }
            await daemon.freeze()
            let body: [BusValue] = [.string(String(repeating: "0", count: 32)), .string(""), .properties([:])]
            for _ in 0..<InterfaceLimits.continuations {
                #expect(await guest.failure("Continue", body, isolation: fixture) == nil)
            }
            #expect(await guest.failure("Continue", body, isolation: fixture) == BusFailure.limitsExceeded)
            daemon.send(SIGCONT)
            try await guest.wait(toHear: InterfaceLimits.continuations, isolation: fixture)
            #expect(await guest.failure("Continue", body, isolation: fixture) == nil)
            withExtendedLifetime(watch) {}
        }
    }

    @Test func asManyCallsOfOneProgramMayWaitAsTheLimitSays() async throws {
        try await onADevice { fixture, device, daemon in
            try await device.handoff("account", "create")
            let guest = try await fixture.waitsForHandoff(at: device.bus.address)
            _ = try await guest.takesPart(isolation: fixture)
            await daemon.freeze()
            let publish = BusCall(
                InterfaceNames.bus, InterfaceNames.path, InterfaceNames.handoff, "Publish", [.publication("Many")])
            for _ in 0...InterfaceLimits.questions {
                guest.connection?.call(publish) { result in
                    switch result {
                    case .success: guest.hears(BusMessage(member: "Published"))
                    case .failure(let failure): guest.hears(BusMessage(member: failure.name))
                    }
                }
            }
            try await guest.wait(isolation: fixture) { !$0.heard.isEmpty }
            #expect(guest.heard.map(\.member) == [BusFailure.limitsExceeded])
            daemon.send(SIGCONT)
            try await guest.wait(toHear: InterfaceLimits.questions + 1, isolation: fixture)
            #expect(guest.heard.dropFirst().allSatisfy { $0.member == "Published" })
            #expect(await guest.failure("Publish", [.publication("Again")], isolation: fixture) == nil)
        }
    }
}

extension BusFixture {
    @discardableResult
    fileprivate func offers(_ title: String, at address: String) async throws -> Guest {
        let guest = try await waitsForHandoff(at: address)
        _ = try await guest.takesPart(isolation: self)
        _ = try await guest.handoff("Publish", [.publication(title)], isolation: self).get()
        self.guest = guest
        return guest
    }
}

extension BusValue {
    fileprivate static func publication(_ title: String) -> BusValue {
        .properties(["type": .string("com.example.reading"), "title": .string(title)])
    }
}
