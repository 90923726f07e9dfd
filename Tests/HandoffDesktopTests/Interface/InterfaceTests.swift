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
        _ body: (BusDevice, BusFixture, Program) async throws -> Void
    ) async throws {
        let folder = "/tmp/handoff-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let device = try await BusDevice("laptop", in: folder)
        let daemon = try await device.startDaemon()
        let fixture = try BusFixture()
        try await body(device, fixture, daemon)
        await fixture.stop()
        daemon.send(SIGKILL)
        _ = await daemon.wait { !$0.isRunning }
    }

    private static func committed(_ name: String) throws -> String {
        let text = try String(contentsOfFile: String.repository + "/Protocol/dbus/\(name).xml", encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }

    @Test func theIntrospectionIsTheOneInProtocol() async throws {
        try await onADevice { device, fixture, _ in
            let said = try await fixture.introspection(at: device.bus.address)
            #expect(said == (try Self.committed(InterfaceNames.handoff)))
        }
        for interface in InterfaceNames.otherInterfaces {
            #expect(BusInterface.document([interface]) == (try Self.committed(interface.name)))
        }
    }

    @Test func propertiesSayWhoThisIsAndChangeWithIt() async throws {
        try await onADevice { device, fixture, daemon in
            try await fixture.followsTheAccount(of: device, daemon)
        }
    }

    @Test func offersOfOtherDevicesAreSignalled() async throws {
        let pair = try await BusPair()
        let fixture = try BusFixture()
        try await fixture.hears(of: pair.desktop, whatComesFrom: pair.laptop)
        await fixture.stop()
    }

    @Test func offersAreListedOnceTheBusNameAppears() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")], isThere: true)
        daemon.hold()
        try await fixture.findsAtOnce(at: bus.address, daemon)
        await fixture.stop()
    }

    @Test func mistakesAreNamed() async throws {
        try await onADevice { device, fixture, _ in try await fixture.mistakesAreNamed(at: device.bus.address) }
    }

    @Test func offeredActivityIsSavedWithItsState() async throws {
        try await onADevice { device, fixture, _ in
            try await device.handoff("account", "create")
            try await fixture.offersAndWithdraws(on: device)
        }
    }

    @Test func aCallerThatLeavesTakesWhatItOffersWithIt() async throws {
        try await onADevice { device, fixture, _ in
            try await device.handoff("account", "create")
            try await fixture.leavesWithAnOffer(on: device)
        }
    }

    @Test func restartedDaemonReceivesTheOffersAgain() async throws {
        try await onADevice { device, fixture, daemon in
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
        try await onADevice { device, fixture, _ in
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
        try await onADevice { device, fixture, _ in
            try await fixture.participantsAreCounted(at: device.bus.address)
            let other = try device.start([
                "/usr/bin/busctl", "--address=\(device.bus.address)", "call", InterfaceNames.bus, InterfaceNames.path,
                InterfaceNames.handoff, "Register", "soa{sv}", "", "/a", "0",
            ])
            #expect(await other.end() == 0, "\(other.errors)")
        }
    }

    @Test func asManyContinuationsOfOneProgramAreHeardOfAsTheLimitSays() async throws {
        try await onADevice { device, fixture, daemon in
            try await fixture.continuationsAreCounted(at: device.bus.address, daemon)
        }
    }

    @Test func asManyCallsOfOneProgramMayWaitAsTheLimitSays() async throws {
        try await onADevice { device, fixture, daemon in
            try await device.handoff("account", "create")
            try await fixture.questionsAreCounted(at: device.bus.address, daemon)
        }
    }
}

extension BusFixture {
    fileprivate func introspection(at address: String) async throws -> String? {
        let guest = try await waitsForHandoff(at: address)
        let call = BusCall(
            InterfaceNames.bus, InterfaceNames.path, "org.freedesktop.DBus.Introspectable", "Introspect")
        return try await guest.call(call, isolation: self).get()[0]?.text
    }

    fileprivate func followsTheAccount(of device: BusDevice, _ daemon: Program) async throws {
        let guest = try await waitsForHandoff(at: device.bus.address)
        #expect(try await guest.property("DeviceName", isolation: self)?.text == "laptop")
        #expect(try await guest.property("Account", isolation: self)?.text == "")
        let watch = try guest.connection?.onSignal(
            "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", from: InterfaceNames.bus
        ) { guest.hears($0) }
        _ = try await guest.property("Version", isolation: self)
        try await device.handoff("account", "create")
        try await guest.wait(isolation: self) { $0.heard.contains { $0[1]?.properties?["Account"] != nil } }
        let devices = try await guest.property("Devices", isolation: self)?.elements
        #expect(devices?.count == 1)
        #expect(devices?.first?.properties?["name"] == .string("laptop"))
        guest.heard = []
        try await device.handoff("device", "rename", "lap")
        try await guest.wait(isolation: self) {
            $0.heard.contains { $0[1]?.properties?["DeviceName"] == .string("lap") }
        }
        daemon.send(SIGKILL)
        try await guest.wait(isolation: self) { $0.heard.contains { $0[1]?.properties?["DeviceID"] == .string("") } }
        #expect(await guest.failure("ListActivities", [.properties([:])], isolation: self) == BusFailure.noDaemon)
        withExtendedLifetime(watch) {}
    }

    fileprivate func findsAtOnce(at address: String, _ daemon: ScriptedDaemon) async throws {
        let guest = try await begin(at: address, daemon, isThere: false, waits: false)
        // Long enough to notice a name that is requested too early.
        for _ in 1...20 { await guest.settles(isolation: self) }
        let name = BusCall.bus("NameHasOwner", [.string(InterfaceNames.bus)])
        #expect(try await guest.call(name, isolation: self).get()[0] == .boolean(false))
        daemon.tell()
        try await guest.waits(for: InterfaceNames.bus, isolation: self)
        let list = try await guest.handoff("ListActivities", [.properties([:])], isolation: self).get()[0]?.elements
        #expect(list?.map { $0.properties?["title"]?.text } == ["Shopping list"])
    }

    fileprivate func hears(of device: BusDevice, whatComesFrom other: BusDevice) async throws {
        let guest = try await waitsForHandoff(at: device.bus.address)
        let watch = try guest.connection?.onSignal(
            InterfaceNames.handoff, "ActivitiesChanged", "aa{sv}", from: InterfaceNames.bus
        ) { guest.hears($0) }
        _ = try await guest.property("Version", isolation: self)
        let script = try other.start(
            [
                Program.built + "/handoff", "activity", "publish", "--type", "com.example.reading", "--title",
                "Chapter 3",
            ])
        func titles(_ message: BusMessage) -> [String?]? { message[0]?.elements?.map { $0.properties?["title"]?.text } }
        try await guest.wait(isolation: self) { $0.heard.contains { titles($0) == ["Chapter 3"] } }
        script.send(SIGTERM)
        try await guest.wait(isolation: self) { $0.heard.last.map { titles($0) == [] } ?? false }
        withExtendedLifetime(watch) {}
    }

    fileprivate func mistakesAreNamed(at address: String) async throws {
        let guest = try await waitsForHandoff(at: address)
        let (object, none) = (BusValue.objectPath("/org/example/app"), BusValue.properties([:]))
        func failure(_ member: String, _ body: BusValue...) async -> String? {
            await guest.failure(member, body, isolation: self)
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
        #expect(await failure("Publish", .properties(["type": type, "colour": type])) == BusFailure.invalidArguments)
        let page = BusValue.properties(["type": type, "web-page-url": .string("file:///etc/passwd")])
        #expect(await failure("Publish", page) == BusFailure.invalidArguments)
        let large = BusValue.properties(["a": .bytes(Array(repeating: 1, count: 200_000))])
        #expect(
            await failure("Publish", .properties(["type": type, "user-info": large]))
                == "org.handoff.Error.PayloadTooLarge")
        let id = BusValue.string(String(repeating: "0", count: 32))
        for member in ["Withdraw", "Changed"] { #expect(await failure(member, id) == "org.handoff.Error.ActivityGone") }
        #expect(await failure("OpenStream", id) == BusFailure.accessDenied)
    }

    private func publication(_ title: String) -> BusValue {
        .properties(["type": .string("com.example.reading"), "title": .string(title)])
    }

    fileprivate func offers(_ title: String, at address: String) async throws {
        let guest = try await waitsForHandoff(at: address)
        _ = try await guest.takesPart(isolation: self)
        _ = try await guest.handoff("Publish", [publication(title)], isolation: self).get()
        self.guest = guest
    }

    fileprivate func offersAndWithdraws(on device: BusDevice) async throws {
        try await offers("Poems", at: device.bus.address)
        let guest = try #require(guest)
        try await device.sees("Poems")
        let again = try await guest.handoff("Publish", [publication("Novels")], isolation: self).get()[0]
        try await device.sees("Novels")
        let id = try #require(again)
        _ = try await guest.handoff("Update", [id, .properties(["title": .string("Plays")])], isolation: self).get()
        try await device.sees("Plays")
        let watch = try device.start([Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
        try await watch.hear("Plays")
        _ = try await guest.handoff("Withdraw", [id], isolation: self).get()
        try await watch.hear("[]")
        _ = try await guest.handoff("Unregister", isolation: self).get()
        #expect(await guest.failure("Publish", [publication("x")], isolation: self) == BusFailure.notRegistered)
        watch.send(SIGKILL)
    }

    fileprivate func leavesWithAnOffer(on device: BusDevice) async throws {
        try await offers("Leaving", at: device.bus.address)
        let watch = try device.start([Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
        try await watch.hear("Leaving")
        guest = nil
        try await watch.hear("[]")
        watch.send(SIGKILL)
    }

    // MARK: Limits

    fileprivate func participantsAreCounted(at address: String) async throws {
        var guests: [Guest] = []
        for _ in 0..<InterfaceLimits.participantsPerProcess {
            let guest = try await waitsForHandoff(at: address)
            _ = try await guest.takesPart(isolation: self)
            guests.append(guest)
        }
        let tooMany = try await connect(to: address)
        let body: [BusValue] = [.string(""), .objectPath("/a"), .properties([:])]
        #expect(await tooMany.failure("Register", body, isolation: self) == BusFailure.limitsExceeded)
        _ = try await guests[0].handoff("Unregister", isolation: self).get()
        #expect(await tooMany.failure("Register", body, isolation: self) == nil)
        kept = tooMany
    }

    fileprivate func continuationsAreCounted(at address: String, _ daemon: Program) async throws {
        let guest = try await waitsForHandoff(at: address)
        let watch = try guest.connection?.onSignal(
            InterfaceNames.continuation, "Finished", "ba{sv}", from: InterfaceNames.bus
        ) { guest.hears($0) }
        await daemon.freeze()
        let body: [BusValue] = [.string(String(repeating: "0", count: 32)), .string(""), .properties([:])]
        for _ in 0..<InterfaceLimits.continuations {
            #expect(await guest.failure("Continue", body, isolation: self) == nil)
        }
        #expect(await guest.failure("Continue", body, isolation: self) == BusFailure.limitsExceeded)
        daemon.send(SIGCONT)
        try await guest.wait(toHear: InterfaceLimits.continuations, isolation: self)
        #expect(await guest.failure("Continue", body, isolation: self) == nil)
        withExtendedLifetime(watch) {}
    }

    fileprivate func questionsAreCounted(at address: String, _ daemon: Program) async throws {
        let guest = try await waitsForHandoff(at: address)
        _ = try await guest.takesPart(isolation: self)
        await daemon.freeze()
        let publish = BusCall(
            InterfaceNames.bus, InterfaceNames.path, InterfaceNames.handoff, "Publish", [publication("Many")])
        for _ in 0...InterfaceLimits.questions {
            guest.connection?.call(publish) { result in
                switch result {
                case .success: guest.hears(BusMessage(member: "Published"))
                case .failure(let failure): guest.hears(BusMessage(member: failure.name))
                }
            }
        }
        try await guest.wait(isolation: self) { !$0.heard.isEmpty }
        #expect(guest.heard.map(\.member) == [BusFailure.limitsExceeded])
        daemon.send(SIGCONT)
        try await guest.wait(toHear: InterfaceLimits.questions + 1, isolation: self)
        #expect(guest.heard.dropFirst().allSatisfy { $0.member == "Published" })
        #expect(await guest.failure("Publish", [publication("Again")], isolation: self) == nil)
    }
}
