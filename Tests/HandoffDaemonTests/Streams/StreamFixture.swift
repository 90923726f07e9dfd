// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

@testable import HandoffDaemon

/// Streams, tokens and devices for the tests of the machine. Clients are words, links are numbers.
typealias Streams = StreamsStateMachine<Int>
typealias StreamsAction = StreamAction<Int>

enum StreamFixture {
    static let team = Team.made("ABCDE12345")
    static let otherTeam = Team.made("ZZZZZ99999", key: 2)
    static let desktop = device(1)
    static let tablet = device(2)

    static func device(_ number: UInt8) -> DeviceID { DeviceID(uncheckedBytes: Array(repeating: number, count: 32)) }
    static func activity(_ number: UInt8) -> ActivityID { .init(uncheckedBytes: Array(repeating: number, count: 16)) }
    static func continuation(_ number: UInt8) -> ContinuationID {
        ContinuationID(uncheckedBytes: Array(repeating: number, count: 16))
    }
    static func stream(_ number: Int) -> StreamID {
        StreamID(uncheckedBytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })
    }
    /// For an app, in its process 100.
    static func entry(_ number: Int, process: Int32 = 100) -> StreamEntry {
        StreamEntry(token: token(number + 1_000_000), processID: process)
    }
    /// Between devices.
    static func token(_ number: Int) -> StreamToken {
        StreamToken(uncheckedBytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })
    }

    static func pass(
        _ continuation: UInt8 = 1, of device: DeviceID = desktop, activity: UInt8 = 1,
        _ direction: HandoffDirection = .receiving
    ) -> StreamPass {
        StreamPass(
            device: device, activity: self.activity(activity), continuation: self.continuation(continuation),
            team: team, direction: direction)
    }

    static func hello(_ token: StreamToken, activity: UInt8 = 1, continuation: UInt8 = 1) -> StreamHello {
        StreamHello(token: token, activity: self.activity(activity), continuation: self.continuation(continuation))
    }
}

extension StreamsStateMachine<Int> {
    /// A stream whose token the receiver's app has. `number` identifies the stream, its entry and its token.
    mutating func open(
        _ number: Int, by client: ClientID = "viewer", pass: StreamPass = StreamFixture.pass(), way: StreamWay,
        at now: Instant = .zero
    ) -> [StreamsAction] {
        _ = opened(StreamFixture.stream(number), by: client, for: pass, at: now)
        return agreed(
            StreamFixture.stream(number), token: StreamFixture.token(number), way: way,
            entry: StreamFixture.entry(number), at: now)
    }

    mutating func attach(_ number: Int, process: Int32 = 100, link: Int, at now: Instant = .zero) -> [StreamsAction] {
        attached(StreamFixture.entry(number).token, by: process, link: link, at: now)
    }

    /// A stream with the links 1, near, and 2, far.
    static func joined(by client: ClientID = "viewer") -> Self {
        var machine = Self()
        _ = machine.open(1, by: client, way: .awaitDial)
        _ = machine.attach(1, link: 1)
        _ = machine.offered(
            StreamFixture.hello(StreamFixture.token(1)), by: StreamFixture.desktop, link: 2, at: .zero)
        return machine
    }
}
