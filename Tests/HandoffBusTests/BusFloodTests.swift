// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestBuses
import Testing

@testable import HandoffBus

/// Programs that exceed the limits, on a real bus.
@Suite(.timeLimit(.minutes(2))) struct BusFloodTests {
    @Test(arguments: ["as", "a{sv}", "s"])
    func aFloodOfLargeMessagesIsNotReadAndHoldsUpNoOtherProgram(signature: String) async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.floodIsNotRead(at: bus.address, signature)
        await fixture.stop()
    }

    @Test func aBodyThatNoMethodTakesIsNotRead() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.wrongBodiesAreNotRead(at: bus.address)
        await fixture.stop()
    }

    @Test func manyConnectionsOfOneProcessLockNoOtherOut() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.connectionsAreCountedByProcess(at: bus.address)
        await fixture.stop()
    }

    @Test func aMatchThatTheBusRefusesDoesNotEndTheConnection() async throws {
        let bus = try await PrivateBus(matches: 1)
        let fixture = try BusFixture()
        try await fixture.refusedMatchesAreSurvived(at: bus.address)
        await fixture.stop()
    }

    // Otherwise its entry and its offers would remain after it has left.
    @Test func aCallerWhoseEndWouldNotBeAnnouncedIsRefused() async throws {
        let bus = try await PrivateBus(matches: 1)
        let fixture = try BusFixture()
        try await fixture.unwatchedCallersAreRefused(at: bus.address)
        await fixture.stop()
    }

    @Test func aCallThatWaitsHoldsNoOpenFileOfItsCaller() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.waitingCallsHoldNoFiles(at: bus.address)
        await fixture.stop()
    }

    @Test func callsBeforeTheBusSaysWhoCallsAreServedInOrder() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.earlyCallsAreServedInOrder(at: bus.address)
        await fixture.stop()
    }

    @Test func objectsBelowAPathAreListed() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.childrenAreListed(at: bus.address)
        await fixture.stop()
    }

    @Test func aProgramThatIsNotAdmittedIsServedNothing() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.admissionIsAsked(at: bus.address)
        await fixture.stop()
    }
}

extension BusFixture {
    private static let interface = "org.example.Desk"

    /// Returns a server with one object, and its name.
    private func serve(
        at address: String, _ methods: [BusInterface.Method]
    ) async throws -> (server: Guest, connection: BusConnection, name: String) {
        let server = try await connect(to: address)
        let connection = try #require(server.connection)
        kept = server
        server.kept = [try BusObject([BusInterface(Self.interface, methods: methods)], at: "/desk", on: connection)]
        return (server, connection, connection.uniqueName)
    }

    fileprivate func floodIsNotRead(at address: String, _ signature: String) async throws {
        let take = BusInterface.Method("Take", takes: [.init("all", signature)]) { $1.answer() }
        let (server, connection, name) = try await serve(at: address, [take, .init("Knock") { $1.answer() }])
        let count = 2000
        let flood = try FloodingProgram(at: address, name, "/desk", Self.interface, "Take", signature, count: count)
        try await flood.hasSentHalf()
        let knock = try await CallingProgram.call(at: address, name, "/desk", "\(Self.interface).Knock")
        #expect(knock.succeeded, "\(knock.output)")
        try await flood.hasSentAll()
        // Served after all of them.
        let last = try await CallingProgram.call(at: address, name, "/desk", "\(Self.interface).Knock")
        #expect(last.succeeded, "\(last.output)")
        let tally = try await flood.tally()
        // The call limit alone would permit 256; text is cheaper than the same amount in thousands of values.
        #expect(connection.bodiesRead <= BusLimits.callBurst, "of \(count)")
        #expect(tally.answered + tally.failed <= connection.bodiesRead)
        #expect(tally.refused <= 2 * BusLimits.refusals)
        #expect(tally.answered + tally.failed + tally.refused < count / 2)
        #expect(server.connections == 1 && server.ends == 0)
    }

    fileprivate func wrongBodiesAreNotRead(at address: String) async throws {
        let (_, connection, name) = try await serve(
            at: address, [.init("Take", takes: [.init("text", "s")]) { $1.answer() }])
        let flood = try FloodingProgram(at: address, name, "/desk", Self.interface, "Take", "as", count: 100)
        try await flood.hasSentAll()
        let one = try await CallingProgram.call(at: address, name, "/desk", "\(Self.interface).Take", "string:a")
        #expect(one.succeeded)
        #expect(connection.bodiesRead == 1)
        let tally = try await flood.tally()
        #expect(tally.answered == 0 && tally.failed > 0)
    }

    fileprivate func unwatchedCallersAreRefused(at address: String) async throws {
        let (server, connection, name) = try await serve(at: address, [.init("Knock") { $1.answer() }])
        var refusals = 0
        connection.matchRefused = { _ in refusals += 1 }
        let knock = BusCall(name, "/desk", Self.interface, "Knock")
        var watched: Guest? = try await connect(to: address)
        _ = try await watched?.call(knock, isolation: self).get()
        let second = try await connect(to: address)
        let answer = await second.call(knock, isolation: self)
        #expect(throws: BusFailure.self) { try answer.get() }
        #expect(refusals == 1 && server.ends == 0)
        // Once the first caller has left, the bus has room for a match again.
        watched = nil
        var isServed = false
        for _ in 0..<1000 where !isServed {
            if case .success = await second.call(knock, isolation: self) { isServed = true }
        }
        #expect(isServed)
    }

    fileprivate func connectionsAreCountedByProcess(at address: String) async throws {
        let (_, _, name) = try await serve(at: address, [.init("Knock") { $1.answer() }])
        let knock = BusCall(name, "/desk", Self.interface, "Knock")
        var guests: [Guest] = []
        for number in 1...140 {
            let guest = try await connect(to: address)
            let answer = await guest.call(knock, isolation: self)
            guests.append(guest)
            switch answer {
            case .success: #expect(number <= BusLimits.connectionsPerProcess)
            case .failure(let failure):
                #expect(number > BusLimits.connectionsPerProcess)
                #expect(failure.name == BusFailure.limitsExceeded)
            }
        }
        let other = try await CallingProgram.call(at: address, name, "/desk", "\(Self.interface).Knock")
        #expect(other.succeeded, "\(other.output)")
        // The end of a connection makes room as soon as the bus has announced it.
        guests.removeFirst(guests.count - 1)
        for _ in 0..<1000 {
            if case .success = await guests[0].call(knock, isolation: self) { return }
        }
        Issue.record("there is no room")
    }

    fileprivate func refusedMatchesAreSurvived(at address: String) async throws {
        let guest = try await connect(to: address)
        let connection = try #require(guest.connection)
        guest.kept = try (0..<4).map { number in try connection.onSignal(Self.interface, "Rang\(number)", "") { _ in } }
        for _ in 0..<4 { _ = try await guest.call(.bus("GetId", []), isolation: self).get() }
        #expect(guest.connections == 1 && guest.ends == 0)
    }

    fileprivate func waitingCallsHoldNoFiles(at address: String) async throws {
        var replies: [BusReply] = []
        let wait = BusInterface.Method("Wait", takes: [.init("file", "h")]) { replies.append($1) }
        let (_, _, name) = try await serve(at: address, [wait, .init("Knock") { $1.answer() }])
        let guest = try await connect(to: address)
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reading = SharedDescriptor(taking: ends[0])
        do {
            let writing = SharedDescriptor(taking: ends[1])
            let call = BusCall(name, "/desk", Self.interface, "Wait", [.descriptor(writing)])
            guest.connection?.call(call) { _ in guest.hears(BusMessage(member: "Answered")) }
            _ = try await guest.call(BusCall(name, "/desk", Self.interface, "Knock"), isolation: self).get()
        }
        var isClosed = false
        let watch = try loop.watch(reading.number) {
            isClosed = true
            guest.hears(BusMessage(member: "Closed"))
        }
        try await guest.wait(isolation: self) { _ in isClosed }
        watch.cancel()
        #expect(replies.count == 1)
        replies = []
        try await guest.wait(isolation: self) { $0.heard.contains { $0.member == "Answered" } }
    }

    fileprivate func earlyCallsAreServedInOrder(at address: String) async throws {
        var said: [String] = []
        let say = BusInterface.Method("Say", takes: [.init("text", "s")]) {
            said.append($0[0]?.text ?? "")
            $1.answer()
        }
        let (_, _, name) = try await serve(at: address, [say])
        let guest = try await connect(to: address)
        for number in 1...BusLimits.heldCalls {
            guest.connection?.call(BusCall(name, "/desk", Self.interface, "Say", [.string("\(number)")])) { _ in
                guest.hears(BusMessage())
            }
        }
        try await guest.wait(toHear: BusLimits.heldCalls, isolation: self)
        #expect(said == (1...BusLimits.heldCalls).map { "\($0)" })
    }

    fileprivate func childrenAreListed(at address: String) async throws {
        let (_, _, name) = try await serve(at: address, [.init("Knock") { $1.answer() }])
        let introspected = try await CallingProgram.call(
            at: address, name, "/", "org.freedesktop.DBus.Introspectable.Introspect")
        #expect(introspected.output.contains("<node name=\"desk\"/>"), "\(introspected.output)")
        let ping = try await CallingProgram.call(at: address, name, "/desk", "org.freedesktop.DBus.Peer.Ping")
        #expect(ping.succeeded)
    }

    fileprivate func admissionIsAsked(at address: String) async throws {
        let (_, connection, name) = try await serve(at: address, [.init("Knock") { $1.answer() }])
        let own = getpid()
        connection.admission = { peer, answer in
            answer(peer.processID == own ? nil : BusFailure(BusFailure.accessDenied, "it is a stranger"))
        }
        let stranger = try await CallingProgram.call(at: address, name, "/desk", "\(Self.interface).Knock")
        #expect(!stranger.succeeded && stranger.output.contains("AccessDenied"), "\(stranger.output)")
        let guest = try await connect(to: address)
        _ = try await guest.call(BusCall(name, "/desk", Self.interface, "Knock"), isolation: self).get()
    }
}
