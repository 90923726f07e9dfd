// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// How long a roster takes to merge new statements, compared with only checking the signatures. For the programs of
/// `Benchmarks`.
public struct RosterMerge {
    /// Only checking each signature, in sequence.
    public let signatures: Duration
    /// Merging all of them into a roster that contains only the founding statement.
    public let fresh: Duration
    /// Merging them a second time.
    public let again: Duration
    /// Reading them from the account's file.
    public let restored: Duration

    /// Merges `count` statements in an account of 32 devices, as after years of admissions and removals. A roster keeps
    /// one name for each device, and all admissions and removals until it is full.
    public static func measure(count: Int) throws -> RosterMerge {
        let laptop = DeviceKey()
        let name = DisplayText(cleaning: "laptop")
        let now = WallTime(milliseconds: 1_800_000_000_000)
        let founded = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: now).record
        let account = founded.roster.account
        var statements = founded.roster.signedStatements
        func say(_ kind: RosterStatement.Kind, by key: DeviceKey) throws {
            guard statements.count <= count else { return }
            statements.append(try RosterStatement(account: account, time: now, epoch: 0, kind: kind).signed(by: key))
        }
        func admit(_ device: DeviceKey, by key: DeviceKey) throws {
            try say(
                .admitted(DeviceDescription(key: device.publicKey.spki, name: name, kind: .desktop)), by: key)
        }
        let members = [laptop] + (1..<32).map { _ in DeviceKey() }
        for device in members.dropFirst() { try admit(device, by: laptop) }
        for device in members { try say(.renamed(device.id, name, number: 1), by: device) }
        var next = 0
        while statements.count <= count {
            let former = DeviceKey()
            let member = members[next % members.count]
            try admit(former, by: member)
            try say(.revoked(former.id, kept: [], secretHash: [UInt8](repeating: 9, count: 32)), by: member)
            next += 1
        }

        let clock = ContinuousClock()
        let signatures = try clock.measure {
            for statement in statements { _ = try VerifiedStatement(statement, account: account) }
        }
        var record = founded
        let update = RosterUpdate(statements: statements)
        let fresh = clock.measure { _ = record.merge(update, on: laptop.id, at: now) }
        precondition(record.roster.statementCount == count + 1, "the roster keeps only some of the statements")
        let again = clock.measure { _ = record.merge(update, on: laptop.id, at: now) }
        let bytes = try record.encoded()
        let restored = try clock.measure { _ = try AccountRecord(bytes: bytes) }
        return RosterMerge(signatures: signatures, fresh: fresh, again: again, restored: restored)
    }
}
