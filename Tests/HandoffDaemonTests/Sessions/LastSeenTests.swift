// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows L10: when a device was last connected.
@Suite struct LastSeenTests {
    private static func device(_ number: Int) -> DeviceID {
        DeviceID(uncheckedBytes: [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 7, count: 30))
    }
    private let laptop = device(1)
    private let desktop = device(2)
    private let noon = WallTime(milliseconds: 1_800_000_000_000)

    private func instant(_ seconds: Int) -> Instant { Instant(sinceZero: .seconds(seconds)) }

    @Test func timesSurviveRoundTrip() {
        var seen = LastSeen()
        seen.saw(laptop, at: noon)
        seen.saw(desktop, at: WallTime(milliseconds: -5))
        #expect(LastSeen(file: seen.file) == seen)
        #expect(LastSeen(file: [])[laptop] == nil)
    }

    @Test func malformedLinesAreSkipped() {
        let text = "\n\(laptop.hex)\n\(laptop.hex) soon\nx 5\n\(desktop.hex) 5\n\(laptop.hex) 1 2\n\u{0}"
        let seen = LastSeen(file: Array(text.utf8))
        #expect(seen[laptop] == nil)
        #expect(seen[desktop] == WallTime(milliseconds: 5))
    }

    @Test func thoseUnseenForLongestAreForgottenFirst() {
        var seen = LastSeen()
        for number in 0...LastSeen.maximum {
            seen.saw(Self.device(number), at: noon.advanced(by: .seconds(number)))
        }
        #expect(seen[Self.device(0)] == nil)
        #expect(seen[Self.device(1)] != nil)
        #expect(seen[Self.device(LastSeen.maximum)] != nil)
        #expect(seen.file.count <= LastSeen.fileBytes)
        // A file that another program extended is truncated.
        let twice = LastSeen(file: seen.file + seen.file + seen.file)
        #expect(twice == seen)
    }

    @Test func aChangeIsWrittenSoon() {
        var machine = LastSeenStateMachine()
        #expect(machine.nextDeadline == nil)
        machine.connected(laptop, at: noon, now: instant(0))
        #expect(machine.nextDeadline == Instant(sinceZero: LastSeenStateMachine.delay))
        let early = machine.deadlineReached(now: instant(1))
        #expect(early == nil)
        let file = machine.deadlineReached(now: instant(10))
        #expect(file.map(LastSeen.init(file:))?[laptop] == noon)
        #expect(machine.nextDeadline == nil)
    }

    /// A device that connects and disconnects every second for a day.
    @Test func aDeviceThatFlapsWearsOutNoDisk() {
        var machine = LastSeenStateMachine()
        var writings: [Int] = []
        for second in 0..<86_400 {
            machine.connected(laptop, at: noon.advanced(by: .seconds(second)), now: instant(second))
            let bytes = machine.deadlineReached(now: instant(second))
            if bytes != nil { writings.append(second) }
        }
        #expect(writings.first == 10)
        #expect(writings.count == 86_400 / 300)
        #expect(zip(writings, writings.dropFirst()).allSatisfy { $1 - $0 >= 300 })
    }

    @Test func removedMemberIsForgotten() {
        var machine = LastSeenStateMachine()
        machine.connected(laptop, at: noon, now: instant(0))
        machine.connected(desktop, at: noon, now: instant(0))
        _ = machine.deadlineReached(now: instant(10))
        machine.membersChanged([laptop, desktop], now: instant(20))
        #expect(machine.nextDeadline == nil, "nothing changed")
        machine.membersChanged([laptop], now: instant(20))
        #expect(machine.seen[desktop] == nil)
        #expect(machine.nextDeadline == instant(310))
        let last = machine.deadlineReached(now: instant(21), isLast: true)
        #expect(last.map(LastSeen.init(file:))?[desktop] == nil)
    }
}
