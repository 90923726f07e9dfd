// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestBuses
import Testing

@testable import HandoffBus

/// Programs that exceed the limits, on a real bus.
@Suite(.timeLimit(.minutes(2))) struct BusFloodTests {
    fileprivate static let interface = "org.example.Desk"

    @Test(arguments: ["as", "a{sv}", "s"])
    func aFloodOfLargeMessagesIsNotReadAndHoldsUpNoOtherProgram(signature: String) async throws {
        try await withPrivateBus { fixture, bus in
            let take = BusInterface.Method("Take", takes: [.init("all", signature)]) { $1.answer() }
            let (server, connection, name) = try await fixture.serve(
                at: bus.address, [take, .init("Knock") { $1.answer() }])
            let count = 2000
            let flood = try FloodingProgram(
                at: bus.address, name, "/desk", Self.interface, "Take", signature, count: count)
            try await flood.hasSentHalf()
            let knock = try await CallingProgram.call(at: bus.address, name, "/desk", "\(Self.interface).Knock")
            #expect(knock.succeeded, "\(knock.output)")
            try await flood.hasSentAll()
            // Served after all of them.
            let last = try await CallingProgram.call(at: bus.address, name, "/desk", "\(Self.interface).Knock")
            #expect(last.succeeded, "\(last.output)")
            let tally = try await flood.tally()
            // The call limit alone would permit 256; text is cheaper than the same amount in thousands of values.
            #expect(connection.bodiesRead <= BusLimits.callBurst, "of \(count)")
            #expect(tally.answered + tally.failed <= connection.bodiesRead)
            #expect(tally.refused <= 2 * BusLimits.refusals)
            #expect(tally.answered + tally.failed + tally.refused < count / 2)
            #expect(server.connections == 1 && server.ends == 0)
        }
    }

    @Test func aBodyThatNoMethodTakesIsNotRead() async throws {
        try await withPrivateBus { fixture, bus in
            let (_, connection, name) = try await fixture.serve(
                at: bus.address, [.init("Take", takes: [.init("text", "s")]) { $1.answer() }])
            let flood = try FloodingProgram(at: bus.address, name, "/desk", Self.interface, "Take", "as", count: 100)
            try await flood.hasSentAll()
            let one = try await CallingProgram.call(
                at: bus.address, name, "/desk", "\(Self.interface).Take", "string:a")
            #expect(one.succeeded)
            #expect(connection.bodiesRead == 1)
            let tally = try await flood.tally()
            #expect(tally.answered == 0 && tally.failed > 0)
        }
    }

    @Test func manyConnectionsOfOneProcessLockNoOtherOut() async throws {
        try await withPrivateBus { fixture, bus in
            let (_, _, name) = try await fixture.serve(at: bus.address, [.init("Knock") { $1.answer() }])
            let knock = BusCall(name, "/desk", Self.interface, "Knock")
            var guests: [Guest] = []
            for number in 1...140 {
                let guest = try await fixture.connect(to: bus.address)
                let answer = await guest.call(knock, isolation: fixture)
                guests.append(guest)
                switch answer {
                case .success: #expect(number <= BusLimits.connectionsPerProcess)
                case .failure(let failure):
                    #expect(number > BusLimits.connectionsPerProcess)
                    #expect(failure.name == BusFailure.limitsExceeded)
                }
            }
            let other = try await CallingProgram.call(at: bus.address, name, "/desk", "\(Self.interface).Knock")
            #expect(other.succeeded, "\(other.output)")
            // The end of a connection makes room as soon as the bus has announced it.
            guests.removeFirst(guests.count - 1)
            for _ in 0..<1000 {
                if case .success = await guests[0].call(knock, isolation: fixture) { return }
            }
            Issue.record("there is no room")
        }
    }

    @Test func aMatchThatTheBusRefusesDoesNotEndTheConnection() async throws {
        try await withPrivateBus(matches: 1) { fixture, bus in
            let guest = try await fixture.connect(to: bus.address)
            let connection = try #require(guest.connection)
            guest.kept = try (0..<4).map { number in
                try connection.onSignal(Self.interface, "Rang\(number)", "") { _ in }
            }
            for _ in 0..<4 { _ = try await guest.call(.bus("GetId", []), isolation: fixture).get() }
            #expect(guest.connections == 1 && guest.ends == 0)
        }
    }

    // Otherwise its entry and its offers would remain after it has left.
    @Test func aCallerWhoseEndWouldNotBeAnnouncedIsRefused() async throws {
        try await withPrivateBus(matches: 1) { fixture, bus in
            let (server, connection, name) = try await fixture.serve(at: bus.address, [.init("Knock") { $1.answer() }])
            var refusals = 0
            connection.matchRefused = { _ in refusals += 1 }
            let knock = BusCall(name, "/desk", Self.interface, "Knock")
            var watched: Guest? = try await fixture.connect(to: bus.address)
            _ = try await watched?.call(knock, isolation: fixture).get()
            let second = try await fixture.connect(to: bus.address)
            let answer = await second.call(knock, isolation: fixture)
            #expect(throws: BusFailure.self) { try answer.get() }
            #expect(refusals == 1 && server.ends == 0)
            // Once the first caller has left, the bus has room for a match again.
            watched = nil
            var isServed = false
            for _ in 0..<1000 where !isServed {
                if case .success = await second.call(knock, isolation: fixture) { isServed = true }
            }
            #expect(isServed)
        }
    }

    @Test func aCallThatWaitsHoldsNoOpenFileOfItsCaller() async throws {
        try await withPrivateBus { fixture, bus in
            var replies: [BusReply] = []
            let wait = BusInterface.Method("Wait", takes: [.init("file", "h")]) { replies.append($1) }
            let (_, _, name) = try await fixture.serve(at: bus.address, [wait, .init("Knock") { $1.answer() }])
            let guest = try await fixture.connect(to: bus.address)
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let reading = SharedDescriptor(taking: ends[0])
            do {
                let writing = SharedDescriptor(taking: ends[1])
                let call = BusCall(name, "/desk", Self.interface, "Wait", [.descriptor(writing)])
                guest.connection?.call(call) { _ in guest.hears(BusMessage(member: "Answered")) }
                _ = try await guest.call(BusCall(name, "/desk", Self.interface, "Knock"), isolation: fixture).get()
            }
            var isClosed = false
            let watch = try fixture.loop.watch(reading.number) {
                isClosed = true
                guest.hears(BusMessage(member: "Closed"))
            }
            try await guest.wait(isolation: fixture) { _ in isClosed }
            watch.cancel()
            #expect(replies.count == 1)
            replies = []
            try await guest.wait(isolation: fixture) { $0.heard.contains { $0.member == "Answered" } }
        }
    }

    @Test func callsBeforeTheBusSaysWhoCallsAreServedInOrder() async throws {
        try await withPrivateBus { fixture, bus in
            var said: [String] = []
            let say = BusInterface.Method("Say", takes: [.init("text", "s")]) {
                said.append($0[0]?.text ?? "")
                $1.answer()
            }
            let (_, _, name) = try await fixture.serve(at: bus.address, [say])
            let guest = try await fixture.connect(to: bus.address)
            for number in 1...BusLimits.heldCalls {
                guest.connection?.call(BusCall(name, "/desk", Self.interface, "Say", [.string("\(number)")])) { _ in
                    guest.hears(BusMessage())
                }
            }
            try await guest.wait(toHear: BusLimits.heldCalls, isolation: fixture)
            let numbers = (1...BusLimits.heldCalls).map { "\($0)" }
            #expect(said == numbers)
        }
    }

    @Test func objectsBelowAPathAreListed() async throws {
        try await withPrivateBus { fixture, bus in
            let (_, _, name) = try await fixture.serve(at: bus.address, [.init("Knock") { $1.answer() }])
            let introspected = try await CallingProgram.call(
                at: bus.address, name, "/", "org.freedesktop.DBus.Introspectable.Introspect")
            #expect(introspected.output.contains("<node name=\"desk\"/>"), "\(introspected.output)")
            let ping = try await CallingProgram.call(at: bus.address, name, "/desk", "org.freedesktop.DBus.Peer.Ping")
            #expect(ping.succeeded)
        }
    }

    @Test func aProgramThatIsNotAdmittedIsServedNothing() async throws {
        try await withPrivateBus { fixture, bus in
            let (_, connection, name) = try await fixture.serve(at: bus.address, [.init("Knock") { $1.answer() }])
            let own = getpid()
            connection.admission = { peer, answer in
                answer(peer.processID == own ? nil : BusFailure(BusFailure.accessDenied, "it is a stranger"))
            }
            let stranger = try await CallingProgram.call(at: bus.address, name, "/desk", "\(Self.interface).Knock")
            #expect(!stranger.succeeded && stranger.output.contains("AccessDenied"), "\(stranger.output)")
            let guest = try await fixture.connect(to: bus.address)
            _ = try await guest.call(BusCall(name, "/desk", Self.interface, "Knock"), isolation: fixture).get()
        }
    }
}

extension BusFixture {
    /// Returns a server with one object, and its name.
    fileprivate func serve(
        at address: String, _ methods: [BusInterface.Method]
    ) async throws -> (server: Guest, connection: BusConnection, name: String) {
        let server = try await connect(to: address)
        let connection = try #require(server.connection)
        kept = server
        server.kept = [
            try BusObject([BusInterface(BusFloodTests.interface, methods: methods)], at: "/desk", on: connection)
        ]
        return (server, connection, connection.uniqueName)
    }
}
