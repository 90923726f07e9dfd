// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Failing continuations between two real devices. The test itself is the app: the daemon starts a program that records
/// its token, and the test registers with it.
// Shows L05.
@Suite(.timeLimit(.minutes(2))) struct ContinuedOverBusTests {
    private static let app = "com.example.held"
    private static let type = "com.example.held.writing"

    private func pair() async throws -> BusPair {
        let pair = try await BusPair()
        try await pair.install(
            Self.app, type: Self.type,
            script: "#!/bin/sh\nprintenv HANDOFF_LAUNCH_TOKEN\nexec sleep 60\n")
        return pair
    }

    /// Starts a continuation with the command line, once the laptop's note is listed. Returns the token.
    private func begin(_ pair: BusPair) async throws -> (origin: Program, command: Program, token: String) {
        let origin = try pair.laptop.start([
            Program.built + "/handoff", "activity", "publish", "--type", Self.type, "--title", "Held", "--user-info",
            #"{"text": "x"}"#,
        ])
        try await pair.desktop.sees("Held")
        let command = try pair.desktop.start([Program.built + "/handoff", "activity", "continue"])
        let log = try pair.desktop.start([
            "/usr/bin/tail", "-n", "+1", "-F", pair.desktop.root + "/state/logs/\(Self.app).log",
        ])
        var token = ""
        _ = await log.wait { program in
            token = program.output.split(whereSeparator: \.isWhitespace).first { $0.count == 64 }.map(String.init) ?? ""
            return !token.isEmpty
        }
        log.send(SIGKILL)
        return (origin, command, token)
    }

    @Test func aNameThatChangesHandsInTheMiddleFailsTheContinuationOnce() async throws {
        let pair = try await pair()
        try await withBusFixture { fixture in
            let guest = try await fixture.holdsTheName(Self.app, at: pair.desktop.bus.address)
            let (origin, command, token) = try await begin(pair)
            try await guest.isInTheMiddle(as: Self.app, with: token, isolation: fixture)
            guest.connection?.releaseName(Self.app)
            try await guest.hasFailedOnce(code: "AppGone", cocoa: 4608, isUnregistered: true, isolation: fixture)
            let code = await command.end()
            #expect(code != nil && code != 0)
            #expect(command.errors.contains("app"))
            origin.send(SIGKILL)
        }
    }

    @Test func aDaemonThatDiesInTheMiddleFailsTheContinuationOnce() async throws {
        let pair = try await pair()
        try await withBusFixture { fixture in
            let guest = try await fixture.holdsTheName(Self.app, at: pair.desktop.bus.address)
            let (origin, command, token) = try await begin(pair)
            try await guest.isInTheMiddle(as: Self.app, with: token, isolation: fixture)
            pair.crashDesktop()
            try await guest.hasFailedOnce(
                code: "ConnectionUnavailable", cocoa: 4609, isUnregistered: false, isolation: fixture)
            _ = await command.end()
            origin.send(SIGKILL)
        }
    }

    @Test func onlyItsStarterMayCancelAContinuation() async throws {
        let pair = try await pair()
        try await withBusFixture { fixture in
            let origin = try pair.laptop.start([
                Program.built + "/handoff", "activity", "publish", "--type", Self.type, "--title", "Held",
            ])
            try await pair.desktop.sees("Held")
            let caller = try await fixture.waitsForHandoff(at: pair.desktop.bus.address)
            let other = try await fixture.waitsForHandoff(at: pair.desktop.bus.address)
            let (path, watches) = try await fixture.continues(caller)
            let cancel = BusCall(InterfaceNames.bus, path, InterfaceNames.continuation, "Cancel")
            switch await other.call(cancel, isolation: fixture) {
            case .success: Issue.record("another program has cancelled it")
            case .failure(let failure): #expect(failure.name == BusFailure.accessDenied)
            }
            _ = try await caller.call(cancel, isolation: fixture).get()
            try await caller.wait(isolation: fixture) { $0.heard.contains { $0.member == "Finished" } }
            let ends = caller.heard.filter { $0.member == "Finished" }
            #expect(ends.count == 1)
            #expect(ends[0][0] == .boolean(false))
            #expect(ends[0][1]?.properties?["code"] == .string("Cancelled"))
            switch await caller.call(cancel, isolation: fixture) {
            case .success: Issue.record("the continuation is there still")
            case .failure(let failure): #expect(failure.name == "org.freedesktop.DBus.Error.UnknownObject")
            }
            withExtendedLifetime(watches) {}
            origin.send(SIGKILL)
        }
    }

    /// Like to a script.
    @Test func aStateThatNoAppTakesGoesToTheCaller() async throws {
        let pair = try await BusPair()
        try await withBusFixture { fixture in
            let origin = try pair.laptop.start([
                Program.built + "/handoff", "activity", "publish", "--type", "com.example.none", "--title", "Bare",
                "--user-info", #"{"text": "x", "number": 7}"#,
            ])
            try await pair.desktop.sees("Bare")
            let caller = try await fixture.waitsForHandoff(at: pair.desktop.bus.address)
            let (_, watches) = try await fixture.continues(caller)
            try await caller.wait(isolation: fixture) { $0.heard.contains { $0.member == "Finished" } }
            let end = try #require(caller.heard.last)
            #expect(end[0] == .boolean(true))
            let state = end[1]?.properties?["state"]?.properties
            #expect(state?["title"] == .string("Bare"))
            #expect(state?["user-info"]?.properties == ["text": .string("x"), "number": .int64(7)])
            let devices = try await caller.property("Devices", isolation: fixture)?.elements?.compactMap(\.properties)
            let laptop = devices?.first { $0["name"] == .string("laptop") }
            #expect(laptop?["connected"] == .boolean(true))
            withExtendedLifetime(watches) {}
            origin.send(SIGKILL)
        }
    }
}

extension BusFixture {
    fileprivate func holdsTheName(_ name: String, at address: String) async throws -> Guest {
        let guest = try await waitsForHandoff(at: address)
        let taken = await withCheckedContinuation { done in
            guest.connection?.requestName(name) { done.resume(returning: $0) }
        }
        try taken.get()
        return guest
    }

    fileprivate func continues(_ guest: Guest) async throws -> (path: String, watches: [BusSlot]) {
        let watches = try [("Progress", "a{sv}"), ("Finished", "ba{sv}")].map { signal, signature in
            try #require(guest.connection).onSignal(
                InterfaceNames.continuation, signal, signature, from: InterfaceNames.bus
            ) { guest.hears($0) }
        }
        let listed = try await guest.finds(isolation: self) {
            $0["this-device"] == .boolean(false) && $0["target"] != .string("nothing")
        }
        let id = try #require(listed["id"])
        let path = try await guest.handoff(
            "Continue", [id, .string(""), .properties([:])], isolation: self
        ).get()[0]?.text
        return (try #require(path), watches)
    }
}

extension Guest {
    /// Asks the app whether it will continue, and withholds the answer.
    fileprivate func isInTheMiddle(
        as app: String, with token: String, isolation: isolated (any Actor)
    ) async throws {
        let details = try await takesPart(
            as: app, options: ["launch-token": .string(token)], isolation: isolation
        ) { [unowned self] message, reply in
            guard message.member == "WillContinue" else { return [] }
            kept.append(reply)
            return nil
        }
        #expect(details[0]?.properties?["receives"] == .boolean(true))
        try await wait(isolation: isolation) { $0.heard.contains { $0.member == "WillContinue" } }
    }

    fileprivate func hasFailedOnce(
        code: String, cocoa: Int32, isUnregistered: Bool, isolation: isolated (any Actor)
    ) async throws {
        let last = isUnregistered ? "Unregistered" : "DidFail"
        try await wait(isolation: isolation) { $0.heard.contains { $0.member == last } }
        let failures = heard.filter { $0.member == "DidFail" }
        #expect(failures.count == 1)
        #expect(failures.first?[2]?.properties?["code"] == .string(code))
        #expect(failures.first?[2]?.properties?["cocoa-error"] == .int32(cocoa))
        #expect(!heard.contains { $0.member == "Continue" })
    }
}
