// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Every limit of streams, and the failure above it.
@Suite struct StreamLimitsTests {
    private static func reason(_ actions: [StreamsAction]) -> String? {
        guard case .fail(_, let failure)? = actions.first, failure.code == .limitReached else { return nil }
        return failure.reason
    }

    /// Opens streams without answers, up to the number of requests per device.
    private static func fill(
        _ machine: inout Streams, _ numbers: Range<Int>, by client: (Int) -> ClientID, of device: (Int) -> DeviceID
    ) -> [String] {
        numbers.compactMap { number in
            let pass = StreamFixture.pass(of: device(number))
            return reason(machine.open(number, by: client(number), pass: pass, way: .dial))
                ?? (machine.client(of: StreamFixture.stream(number)) == nil ? "refused" : nil)
        }
    }

    @Test func hundredAtOnceAreFine() {
        var machine = Streams()
        let refused = Self.fill(&machine, 0..<100, by: { _ in "viewer" }, of: { _ in StreamFixture.desktop })
        #expect(refused.isEmpty)
    }

    @Test func setUpsOfOneClientAreBounded() {
        var machine = Streams()
        for number in 0..<128 { _ = machine.open(number, way: .dial) }
        let over = machine.opened(StreamFixture.stream(128), by: "viewer", for: StreamFixture.pass(), at: .zero)
        #expect(Self.reason(over)?.contains("128") == true)
        // Another app's streams continue.
        let other = machine.opened(StreamFixture.stream(129), by: "editor", for: StreamFixture.pass(), at: .zero)
        #expect(other == [.askDevice(StreamFixture.stream(129), StreamFixture.pass())])
    }

    @Test func setUpsWithOneDeviceAreBounded() {
        var machine = Streams()
        for number in 0..<160 { _ = machine.open(number, by: ClientID(UInt64(number % 2)), way: .dial) }
        let over = machine.wanted(
            StreamFixture.stream(160), of: "app 2", entry: StreamFixture.entry(160), for: StreamFixture.pass(),
            at: .zero)
        #expect(Self.reason(over)?.contains("160") == true)
        let elsewhere = machine.opened(
            StreamFixture.stream(161), by: "app 2", for: StreamFixture.pass(of: StreamFixture.tablet), at: .zero)
        #expect(elsewhere.count == 1 && Self.reason(elsewhere) == nil)
    }

    private static func join(_ number: Int, in machine: inout Streams, by client: ClientID) -> [StreamsAction] {
        let opened = machine.open(number, by: client, way: .dial)
        _ = machine.dialled(StreamFixture.stream(number), .success(2 * number))
        _ = machine.attach(number, link: 2 * number + 1)
        return opened
    }

    @Test func streamsOfOneClientAreBounded() {
        var machine = Streams()
        for number in 0..<192 { _ = Self.join(number, in: &machine, by: "viewer") }
        let count = machine.count
        #expect(count == 192)
        let over = machine.opened(StreamFixture.stream(999), by: "viewer", for: StreamFixture.pass(), at: .zero)
        #expect(Self.reason(over)?.contains("192") == true)
        // An ended stream makes room.
        _ = machine.closed(0, .any(.connectionUnavailable))
        let room = machine.opened(StreamFixture.stream(1000), by: "viewer", for: StreamFixture.pass(), at: .zero)
        #expect(Self.reason(room) == nil)
    }

    @Test func streamsOfOneDaemonAreBounded() {
        var machine = Streams()
        for number in 0..<384 { _ = Self.join(number, in: &machine, by: ClientID(UInt64(number % 4))) }
        let over = machine.opened(StreamFixture.stream(999), by: "app 9", for: StreamFixture.pass(), at: .zero)
        #expect(Self.reason(over)?.contains("384") == true)
        let count = machine.count
        #expect(count == 384)
    }

    @Test func openingsWaitForTheirTurn() {
        var machine = Streams()
        var asked: [StreamID] = []
        func note(_ actions: [StreamsAction]) {
            for case .askDevice(let id, _) in actions { asked.append(id) }
        }
        for number in 0..<100 {
            note(machine.opened(StreamFixture.stream(number), by: "viewer", for: StreamFixture.pass(), at: .zero))
        }
        #expect(asked.count == 32)
        for number in 0..<100 {
            note(
                number.isMultiple(of: 2)
                    ? machine.refused(StreamFixture.stream(number), .any(.noStreams))
                    : machine.agreed(
                        StreamFixture.stream(number), token: StreamFixture.token(number), way: .dial,
                        entry: StreamFixture.entry(number), at: .zero))
        }
        #expect(asked == (0..<100).map(StreamFixture.stream))
    }

    @Test func turnThatDoesNotComeIsALimitReached() {
        var machine = Streams()
        for number in 0..<33 {
            _ = machine.opened(StreamFixture.stream(number), by: "viewer", for: StreamFixture.pass(), at: .zero)
        }
        let deadline = machine.nextDeadline
        #expect(deadline == .at(.seconds(10)))
        let actions = machine.deadlineReached(at: .at(.seconds(10)))
        #expect(actions == [.fail(StreamFixture.stream(32), .any(.limitReached))])
    }

    // Ten thousand streams that are never attached: bounded, and gone ten seconds later.
    @Test func tenThousandOpensThatAreNeverAttached() {
        var machine = Streams()
        var granted = 0
        var refused = 0
        for number in 0..<10_000 {
            let actions = machine.open(number, way: .awaitDial, at: .at(.milliseconds(number / 10)))
            for case .grant in actions { granted += 1 }
            if actions.isEmpty { refused += 1 }
        }
        let count = machine.count
        #expect(count == 128 && granted == 128 && refused == 10_000 - 128)
        let actions = machine.deadlineReached(at: .at(.seconds(11)))
        let after = machine.count
        let deadline = machine.nextDeadline
        #expect(actions.isEmpty && after == 0 && deadline == nil)
    }
}
