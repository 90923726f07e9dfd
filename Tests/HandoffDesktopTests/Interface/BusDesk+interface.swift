// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import TestBuses
import Testing

@testable import HandoffDesktop

extension BusFixture {
    func isReady(at address: String) async throws { _ = try await waitsForHandoff(at: address) }

    func waitsForHandoff(at address: String) async throws -> Guest {
        let guest = try await connect(to: address)
        try await guest.waitsForHandoff(isolation: self)
        return guest
    }
}

extension Guest {
    func waitsForHandoff(isolation: isolated (any Actor)) async throws {
        let bus = try #require(connection)
        let watches = [
            try bus.watchName(InterfaceNames.bus) { [unowned self] _ in hears(BusMessage(member: "Owner")) },
            try bus.onSignal(
                "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", from: InterfaceNames.bus
            ) {
                [unowned self] _ in hears(BusMessage(member: "Changed"))
            },
        ]
        while true {
            let seen = heard.count
            if try await property("DeviceID", isolation: isolation)?.text?.isEmpty == false { break }
            try await wait(isolation: isolation) { $0.heard.count > seen }
        }
        withExtendedLifetime(watches) { heard = [] }
    }

    func property(_ name: String, isolation: isolated (any Actor)) async throws -> BusValue? {
        let call = BusCall(
            InterfaceNames.bus, InterfaceNames.path, "org.freedesktop.DBus.Properties", "Get",
            [.string(InterfaceNames.handoff), .string(name)])
        return try? await self.call(call, isolation: isolation).get()[0]?.unwrapped
    }

    func handoff(
        _ member: String, _ body: [BusValue] = [], isolation: isolated (any Actor)
    ) async -> Result<BusMessage, BusFailure> {
        await call(
            BusCall(InterfaceNames.bus, InterfaceNames.path, InterfaceNames.handoff, member, body), isolation: isolation
        )
    }

    /// Finds an activity, including this device's. No signal reports those, so the list is requested repeatedly, at the
    /// permitted rate.
    func finds(
        isolation: isolated (any Actor), where isMeant: ([String: BusValue]) -> Bool
    ) async throws -> [String: BusValue] {
        let all = BusValue.properties(["all": .boolean(true)])
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let asked = ContinuousClock.now
            let list = try await handoff("ListActivities", [all], isolation: isolation).get()[0]?.elements
            if let found = list?.compactMap(\.properties).first(where: isMeant) { return found }
            try #require(asked < deadline)
            while ContinuousClock.now < asked + BusLimits.callSpacing { await settles(isolation: isolation) }
        }
    }

    /// The name of the error; nil on success.
    func failure(_ member: String, _ body: [BusValue] = [], isolation: isolated (any Actor)) async -> String? {
        switch await handoff(member, body, isolation: isolation) {
        case .success: nil
        case .failure(let failure): failure.name
        }
    }

    /// Registers with an object that records its calls and answers with `answer`; nil: the answer follows later.
    func takesPart(
        as app: String = "", options: [String: BusValue] = [:], isolation: isolated (any Actor),
        answer: @escaping (BusMessage, BusReply) -> [BusValue]? = { _, _ in [.boolean(true)] }
    ) async throws -> BusMessage {
        let methods = [
            ("Save", "s"), ("WillContinue", "sss"), ("Continue", "sa{sv}aa{sv}"), ("DidFail", "ssa{sv}"),
            ("WasContinued", "ss"), ("Unregistered", "a{sv}"),
        ].map { name, takes in
            BusInterface.Method(name, takes: [.init("all", takes)]) { [unowned self] message, reply in
                if let answer = answer(message, reply) { reply.answer(answer) }
                hears(message)
            }
        }
        let bus = try #require(connection)
        kept.append(
            try BusObject([BusInterface(InterfaceNames.app, methods: methods)], at: "/org/example/app", on: bus))
        return try await handoff(
            "Register", [.string(app), .objectPath("/org/example/app"), .properties(options)], isolation: isolation
        ).get()
    }
}
