// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

/// How long a roster takes to merge statements that it has not seen, beside the signatures alone. Public for the programs
/// of `Benchmarks`, which is a package of its own.
public struct RosterMerge {
    /// Checking one after the other that each signature is its signer's, and nothing else.
    public let signatures: Duration
    /// Merging all of them into a roster that has the founding statement.
    public let fresh: Duration
    /// Merging them once more.
    public let again: Duration
    /// Reading them back from the account's file.
    public let restored: Duration

    /// Of `count` statements in an account of 64 devices, as a year of names and removals leaves it.
    public static func measure(count: Int) throws -> RosterMerge {
        let laptop = DeviceKey()
        let name = DisplayText(cleaning: "laptop")
        let now = WallTime(milliseconds: 1_800_000_000_000)
        let founded = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: now).record
        var full = founded
        var signers = [laptop]
        while full.roster.members.count < Limits.devicesPerAccount, full.roster.statementCount <= count {
            let device = DeviceKey()
            try full.admit(device.publicKey, name: name, kind: .desktop, by: laptop, time: now)
            signers.append(device)
        }
        let account = full.roster.account
        let renamed = full.roster.members.keys.sorted()
        var said: [SignedStatement] = []
        for number in 0..<max(0, count + 1 - full.roster.statementCount) {
            let renaming = RosterStatement.Kind.renamed(
                renamed[number % renamed.count], name, number: UInt32(number / renamed.count + 1))
            said.append(
                try RosterStatement(account: account, time: now, epoch: 0, kind: renaming)
                    .signed(by: signers[number % signers.count]))
        }
        let statements = full.roster.signedStatements + said

        let clock = ContinuousClock()
        let signatures = try clock.measure {
            for statement in statements { _ = try VerifiedStatement(statement, account: account) }
        }
        var record = founded
        let update = RosterUpdate(statements: statements)
        let fresh = clock.measure { _ = record.merge(update, on: laptop.id, at: now) }
        precondition(record.roster.statementCount == count + 1, "not all statements were taken")
        let again = clock.measure { _ = record.merge(update, on: laptop.id, at: now) }
        let bytes = try record.encoded()
        let restored = try clock.measure { _ = try AccountRecord(bytes: bytes) }
        return RosterMerge(signatures: signatures, fresh: fresh, again: again, restored: restored)
    }
}
