// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffTrust
internal import HandoffWire

/// The cost of receiving many times more statements than a roster holds, from a member that invents devices. For the
/// programs of `Benchmarks`.
public struct RosterFlood {
    /// For merging all statements, frame by frame.
    public let wall: Duration
    /// Processor time of all threads.
    public let processor: Duration
    /// The increase of peak memory, bytes.
    public let peak: Int

    /// Merges `count` statements in random order: a member admits devices, and each of these removes another and
    /// renames one.
    public static func measure(count: Int) throws -> RosterFlood {
        let laptop = DeviceKey()
        let name = DisplayText(cleaning: "laptop")
        let now = WallTime(milliseconds: 1_800_000_000_000)
        var record = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: now).record
        let account = record.roster.account
        let puppets = (0..<(count + 2) / 3).map { _ in DeviceKey() }
        var said: [SignedStatement] = []
        func say(_ kind: RosterStatement.Kind, by key: DeviceKey) throws {
            said.append(try RosterStatement(account: account, time: now, epoch: 0, kind: kind).signed(by: key))
        }
        for (number, puppet) in puppets.enumerated() {
            let next = puppets[(number + 1) % puppets.count].id
            let device = DeviceDescription(key: puppet.publicKey.spki, name: name, kind: .phone)
            try say(.admitted(device), by: laptop)
            try say(.revoked(next, kept: [], secretHash: [UInt8](repeating: 9, count: 32)), by: puppet)
            try say(.renamed(next, name, number: 1), by: puppet)
        }
        said = Array(said.shuffled().prefix(count))

        let before = try Memory.now()
        try Memory.forgetPeak()
        let started = processorTime()
        let wall = ContinuousClock().measure {
            for start in stride(from: 0, to: said.count, by: frame) {
                let part = said[start..<min(start + frame, said.count)]
                _ = record.merge(RosterUpdate(statements: Array(part)), on: laptop.id, at: now)
            }
        }
        let processor = processorTime() - started
        precondition(record.roster.statementCount == Limits.rosterStatements, "the roster is not full")
        return RosterFlood(wall: wall, processor: processor, peak: try Memory.peak() - before)
    }

    /// The number of statements in a frame between members.
    private static let frame = 64

    /// Includes all threads of this process.
    private static func processorTime() -> Duration { .microseconds(clock()) }
}

/// This process's memory, from the kernel.
private enum Memory {
    struct Unreadable: Error {}

    static func now() throws -> Int { try status("VmRSS:") }
    static func peak() throws -> Int { try status("VmHWM:") }

    /// Resets the peak to the current value.
    static func forgetPeak() throws {
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    private static func status(_ field: String) throws -> Int {
        for line in try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count > 1, words[0] == field, let kibibytes = Int(words[1]) { return kibibytes * 1024 }
        }
        throw Unreadable()
    }
}
