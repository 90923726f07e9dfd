// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestBuses
import Testing

@testable import HandoffBus

/// On a real bus, with the real sd-bus at both ends.
@Suite(.timeLimit(.minutes(1))) struct BusConnectionTests {
    private static let everything: [BusValue] = [
        .byte(7), .boolean(true), .int16(-3), .uint16(4), .int32(-5), .uint32(6), .int64(-7), .uint64(8), .double(0.5),
        .string("Grüße, 世界"), .objectPath("/a/b"), .signature("a{sv}"), .bytes([0, 1, 255]), .strings(["a", ""]),
        .structure([.string("x"), .variant(.array(of: .int32, [.int32(1)]))]),
        .properties(["one": .uint32(1), "none": .array(of: .structure([.string, .boolean]), [])]),
    ]

    private func object(_ bus: BusConnection, _ methods: [BusInterface.Method]) throws -> BusObject {
        try BusObject(
            [
                BusInterface(
                    "org.example.Desk", methods: methods,
                    properties: [BusInterface.Property("Colour", "s") { .string("green") }],
                    signals: [BusInterface.Signal("Rang", says: [.init("times", "u")])])
            ], at: "/desk", on: bus)
    }

    @Test func everyTypeComesAsItWasSent() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let types = Self.everything.map(\.type.code)
            let echo = BusInterface.Method("Echo", takes: types.map { .init("value", $0) }) { $1.answer($0.body) }
            server.kept = [try object(try #require(server.connection), [echo])]
            let name = try #require(server.connection?.uniqueName)
            let answer = try await client.call(
                BusCall(name, "/desk", "org.example.Desk", "Echo", Self.everything), isolation: fixture
            ).get()
            #expect(answer.body == Self.everything)
            #expect(answer.signature == types.joined())
        }
    }

    @Test func mistakenCallsAreAnswered() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let forgets = BusInterface.Method("Forget") { _, _ in }
            let refuses = BusInterface.Method("Refuse") { $1.fail(BusFailure("org.example.No", "it may not")) }
            let later = BusInterface.Method("Later") { [loop = fixture.loop] _, reply in
                server.kept.append(loop.after(.milliseconds(5)) { reply.answer([.string("now")]) })
            }
            server.kept = [try object(try #require(server.connection), [forgets, refuses, later])]
            let name = try #require(server.connection?.uniqueName)
            let failure = { (path: String, member: String, body: BusValue...) async -> String? in
                switch await client.call(BusCall(name, path, "org.example.Desk", member, body), isolation: fixture) {
                case .success: nil
                case .failure(let failure): failure.name
                }
            }
            #expect(await failure("/desk", "Forget") == BusFailure.failed)
            #expect(await failure("/desk", "Refuse") == "org.example.No")
            #expect(await failure("/desk", "Sing") == BusFailure.unknownMethod)
            #expect(await failure("/desk", "Refuse", .byte(1)) == BusFailure.invalidArguments)
            #expect(await failure("/chair", "Refuse") == "org.freedesktop.DBus.Error.UnknownObject")
            let answer = try await client.call(
                BusCall(name, "/desk", "org.example.Desk", "Later"), isolation: fixture
            ).get()
            #expect(answer[0]?.text == "now")
            let nobody = await client.call(BusCall("org.example.Nobody", "/", "org.example.X", "Y"), isolation: fixture)
            #expect(throws: BusFailure.self) { try nobody.get() }
        }
    }

    @Test func signalsPropertiesAndIntrospectionAreSeenByOthers() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let ring = BusInterface.Method("Ring", takes: [.init("times", "u")], gives: [.init("rang", "b")]) {
                $1.answer([.boolean(true)])
            }
            let object = try object(try #require(server.connection), [ring])
            let name = try #require(server.connection?.uniqueName)
            client.kept = [
                try #require(client.connection).onSignal("org.example.Desk", "Rang", "u", from: name) {
                    client.hears($0)
                },
                try #require(client.connection).onSignal(
                    "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", from: name
                ) { client.hears($0) },
            ]
            // The bus has added the matches once it has answered a later call.
            _ = await client.call(.bus("GetId", []), isolation: fixture)
            object.emit("org.example.Desk", "Rang", [.uint32(3)])
            object.changed("org.example.Desk", ["Colour"])
            try await client.wait(toHear: 2, isolation: fixture)
            #expect(client.heard[0].body == [.uint32(3)])
            #expect(client.heard[1][1]?.properties == ["Colour": .string("green")])
            let properties = BusCall(
                name, "/desk", "org.freedesktop.DBus.Properties", "GetAll", [.string("org.example.Desk")])
            #expect(
                try await client.call(properties, isolation: fixture).get()[0]?.properties == [
                    "Colour": .string("green")
                ])
            let introspection = try await client.call(
                BusCall(name, "/desk", "org.freedesktop.DBus.Introspectable", "Introspect"), isolation: fixture
            ).get()[0]?.text
            #expect(introspection == object.introspection)
            #expect(introspection?.contains("<arg name=\"times\" type=\"u\" direction=\"in\"/>") == true)
        }
    }

    @Test func moreThanAMessageMayHaveIsRefused() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let takesText = BusInterface.Method("Take", takes: [.init("text", "s")]) { $1.answer() }
            let takesMany = BusInterface.Method("Many", takes: [.init("numbers", "ai")]) { $1.answer() }
            let takesDeep = BusInterface.Method("Deep", takes: [.init("value", "v")]) { $1.answer() }
            server.kept = [try object(try #require(server.connection), [takesText, takesMany, takesDeep])]
            let name = try #require(server.connection?.uniqueName)
            let outcome = { (member: String, value: BusValue) async -> String? in
                switch await client.call(
                    BusCall(name, "/desk", "org.example.Desk", member, [value]), isolation: fixture)
                {
                case .success: nil
                case .failure(let failure): failure.name
                }
            }
            let text = { (count: Int) in BusValue.string(String(repeating: "a", count: count)) }
            // Until the bus has identified the caller, less of a call is read.
            #expect(await outcome("Take", text(BusLimits.heldTextBytes + 1)) == BusFailure.limitsExceeded)
            #expect(await outcome("Take", text(1)) == nil)
            #expect(await outcome("Take", text(BusLimits.textBytes)) == nil)
            #expect(await outcome("Take", text(BusLimits.textBytes + 1)) == BusFailure.limitsExceeded)
            let many = { (count: Int) in
                BusValue.array(of: .int32, Array(repeating: .int32(1), count: count))
            }
            #expect(await outcome("Many", many(BusLimits.values - 1)) == nil)
            #expect(await outcome("Many", many(BusLimits.values)) == BusFailure.limitsExceeded)
            let deep = { (count: Int) in (0..<count).reduce(BusValue.byte(1)) { value, _ in .variant(value) } }
            #expect(await outcome("Deep", deep(BusLimits.depth)) == nil)
            #expect(await outcome("Deep", deep(BusLimits.depth + 1)) == BusFailure.limitsExceeded)
        }
    }

    @Test func openFilesArePassed() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let read = BusInterface.Method("Read", takes: [.init("file", "h")], gives: [.init("bytes", "ay")]) {
                guard case .descriptor(let file)? = $0[0] else { return }
                var bytes = [UInt8](repeating: 0, count: 5)
                let count = Glibc.read(file.number, &bytes, 5)
                $1.answer([.bytes(Array(bytes.prefix(max(0, count))))])
            }
            server.kept = [try object(try #require(server.connection), [read])]
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let reading = SharedDescriptor(taking: ends[0])
            write(ends[1], "hello", 5)
            close(ends[1])
            let name = try #require(server.connection?.uniqueName)
            let answer = try await client.call(
                BusCall(name, "/desk", "org.example.Desk", "Read", [.descriptor(reading)]), isolation: fixture
            ).get()
            #expect(answer[0]?.bytes == Array("hello".utf8))
        }
    }

    @Test func namesHaveOneOwnerWhoIsKnown() async throws {
        try await withPrivateBus { fixture, bus in
            let (first, second) = try await fixture.pair(bus.address)
            var owners: [String?] = []
            let (one, other) = (try #require(first.connection), try #require(second.connection))
            second.kept = [
                try other.watchName("org.example.Desk") {
                    owners.append($0)
                    second.hears(BusMessage())
                }
            ]
            try await second.wait(toHear: 1, isolation: fixture)
            let taken = await withCheckedContinuation { done in
                one.requestName("org.example.Desk") { done.resume(returning: $0) }
            }
            try taken.get()
            try await second.wait(toHear: 2, isolation: fixture)
            let refused = await withCheckedContinuation { done in
                other.requestName("org.example.Desk") { done.resume(returning: $0) }
            }
            #expect(throws: BusFailure.self) { try refused.get() }
            let peer = await withCheckedContinuation { done in
                other.process(behind: "org.example.Desk") { done.resume(returning: $0) }
            }
            #expect(try peer.get() == BusPeer(processID: getpid(), userID: getuid()))
            one.releaseName("org.example.Desk")
            try await second.wait(toHear: 3, isolation: fixture)
            #expect(owners == [nil, one.uniqueName, nil])
        }
    }

    @Test func namesAtAndBelowAPrefixAreFoundThatWereThereBefore() async throws {
        try await withPrivateBus { fixture, bus in
            let (owner, watcher) = try await fixture.pair(bus.address)
            let (owning, watching) = (try #require(owner.connection), try #require(watcher.connection))
            for name in ["org.example.Desk", "org.example.Desk.PID-7", "org.example.Desktop"] {
                try await withCheckedContinuation { done in
                    owning.requestName(name) { done.resume(returning: $0) }
                }.get()
            }
            var names: Set<String> = []
            watcher.kept = [
                try watching.watchNames(below: "org.example.Desk") { name, _ in
                    names.insert(name)
                    watcher.hears(BusMessage())
                }
            ]
            try await watcher.wait(toHear: 2, isolation: fixture)
            #expect(names == ["org.example.Desk", "org.example.Desk.PID-7"])
        }
    }

    @Test func onlyTheBusSaysWhoHasAName() async throws {
        try await withPrivateBus { fixture, bus in
            let (forger, watcher) = try await fixture.pair(bus.address)
            var owners: [String?] = []
            let (one, other) = (try #require(forger.connection), try #require(watcher.connection))
            watcher.kept = [
                try other.watchName("org.example.Desk") {
                    owners.append($0)
                    watcher.hears(BusMessage())
                }
            ]
            try await watcher.wait(toHear: 1, isolation: fixture)
            let forged: [BusValue] = [.string("org.example.Desk"), .string(""), .string(one.uniqueName)]
            one.emit(
                "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", forged, to: other.uniqueName)
            // Later events arrive later.
            one.requestName("org.example.Desk") { _ in }
            try await watcher.wait(toHear: 2, isolation: fixture)
            one.releaseName("org.example.Desk")
            try await watcher.wait(toHear: 3, isolation: fixture)
            #expect(owners == [nil, one.uniqueName, nil])
        }
    }

    /// Pending calls fail immediately, and the connection is restored when the bus restarts at the same address.
    @Test func busThatDiesIsThereAgain() async throws {
        try await withPrivateBus { fixture, bus in
            let (server, client) = try await fixture.pair(bus.address)
            let silent = BusInterface.Method("Wait") { message, reply in
                server.kept.append(reply)
                server.hears(message)
            }
            server.kept = [try object(try #require(server.connection), [silent])]
            let name = try #require(server.connection?.uniqueName)
            let waits = Task {
                let result = await client.call(BusCall(name, "/desk", "org.example.Desk", "Wait"), isolation: fixture)
                guard case .failure = result else { return false }
                return true
            }
            try await server.wait(toHear: 1, isolation: fixture)
            await bus.kill()
            #expect(await waits.value == true)
            let second = try await PrivateBus(socket: bus.folder + "/bus")
            try await client.wait(isolation: fixture) { $0.connections == 2 && $0.ends == 1 && $0.connection != nil }
            #expect(client.connection?.uniqueName.isEmpty == false)
            withExtendedLifetime((server, second)) {}
        }
    }

    @Test func aBusThatIsNotThereIsWaitedFor() async throws {
        try await withPrivateBus { fixture, other in
            let socket = other.folder + "/later"
            let guest = Guest(BusConnector(to: "unix:path=\(socket)", on: fixture.loop), on: fixture.loop)
            let bus = try await PrivateBus(socket: socket)
            try await guest.connected(isolation: fixture)
            withExtendedLifetime(bus) {}
        }
    }

    /// As the report DeepSeek-Reasonix 7507.
    @Test func aBusThatDoesNotRespondIsReported() async throws {
        try await withPrivateBus { fixture, bus in
            bus.pause()
            let connector = BusConnector(to: bus.address, patience: .milliseconds(50), on: fixture.loop)
            await withCheckedContinuation { reported in
                connector.late = { reported.resume() }
                connector.start()
            }
            await withCheckedContinuation { connected in
                connector.connected = { _ in connected.resume() }
                bus.resume()
            }
        }
    }
}

extension BusFixture {
    fileprivate func pair(_ address: String) async throws -> (server: Guest, client: Guest) {
        (try await connect(to: address), try await connect(to: address))
    }
}
