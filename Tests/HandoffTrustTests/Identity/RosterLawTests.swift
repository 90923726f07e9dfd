// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows T03, T04, X06.

/// Checks the laws of merging with thousands of random histories. Failures include the seed.
@Suite struct RosterLawTests {
    static let histories: UInt64 = 3000

    let pool: StatementPool

    init() throws { pool = try StatementPool.shared.get() }

    @Test func mergeIsCommutativeAssociativeAndIdempotent() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let (a, b, c) = (pool.roster(&random), pool.roster(&random), pool.roster(&random))
            let ab = a.merged(b)
            expectSame(ab, b.merged(a), seed)
            expectSame(ab.merged(c), a.merged(b.merged(c)), seed)
            expectSame(ab.merged(b), ab, seed)
            expectSame(a.merged(a), a, seed)
        }
    }

    @Test func orderOfArrivalChangesNothing() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let history = pool.history(&random)
            let atOnce = pool.roster(history)
            var oneByOne = Roster(account: pool.account)
            var again = Roster(account: pool.account)
            for statement in history.shuffled(using: &random) { _ = oneByOne.insert([statement]) }
            for statement in (history + history).shuffled(using: &random) { _ = again.insert([statement]) }
            expectSame(oneByOne, atOnce, seed)
            expectSame(again, atOnce, seed)
        }
    }

    /// Except by the recovery key, which begins a new epoch.
    @Test func removedDeviceStaysRemoved() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            var roster = Roster(account: pool.account)
            var out: Set<DeviceID> = []
            var epoch: UInt32 = 0
            for statement in pool.history(&random) {
                _ = roster.insert([statement])
                if roster.epoch != epoch { (out, epoch) = ([], roster.epoch) }
                let removed = Set(roster.removed.keys)
                #expect(removed.isSuperset(of: out), "seed \(seed)")
                #expect(removed.isDisjoint(with: roster.members.keys), "seed \(seed)")
                out = removed
            }
        }
    }

    /// A removed device's statements that its removal does not keep admit and name no one, regardless of arrival and
    /// clocks. (It can still remove: a removal is final.)
    @Test func removedDeviceAdmitsNoDevice() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let history = pool.history(&random)
            let roster = pool.roster(history)
            guard let thief = roster.removed.keys.sorted().randomElement(using: &random) else { continue }
            let later = pool.said(by: thief).filter { statement in
                if case .revoked = statement.content { return false }
                return !history.contains(statement)
                    && history.contains {
                        guard case .revoked(thief, let kept) = $0.content, roster.counts($0.id) else { return false }
                        return !kept.contains(statement.id)
                    }
            }
            let after = pool.roster((history + later).shuffled(using: &random))
            #expect(Set(after.members.keys).isSubset(of: roster.members.keys), "seed \(seed)")
        }
    }

    /// The same histories with clocks hours and years apart, before 1970 and after 2200. No rule uses the time, so the
    /// members are the same.
    @Test func clocksHoursAndYearsApartChangeNothing() throws {
        let hour: Int64 = 3_600_000
        let year = 8766 * hour
        for clocks in [
            [5 * hour, -7 * hour, 0, 23 * hour, -hour, 12 * hour],
            [0, -60 * year, 200 * year, 3 * year, -11 * hour, -year],
        ] {
            let apart = try StatementPool(clocks: clocks)
            for seed in 0..<Self.histories {
                var (random, same) = (Randomness.seeded(seed), Randomness.seeded(seed))
                let (roster, other) = (pool.roster(&random), apart.roster(&same))
                #expect(Set(roster.members.keys) == Set(other.members.keys), "seed \(seed)")
                #expect(Set(roster.removed.keys) == Set(other.removed.keys), "seed \(seed)")
                #expect(roster.epoch == other.epoch, "seed \(seed)")
                #expect(roster.pendingCount == other.pendingCount, "seed \(seed)")
            }
        }
    }

    @Test func recoveryKeepsOnlyTheNamedDevices() throws {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let history = pool.history(&random).filter { $0.epoch == 0 || $0.isRoot }
            let roster = pool.roster(history + [pool.recovery])
            var named = Set<DeviceID>()
            for statement in history + [pool.recovery] {
                if case .recovered(let subject) = statement.content { named.insert(subject.key.id) }
            }
            #expect(Set(roster.members.keys) == named, "seed \(seed)")
        }
    }

    /// Compares with the definition in docs/protocol.md, implemented differently: repeat until nothing changes.
    @Test func membersAreAsTheDefinitionSays() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let history = pool.history(&random)
            let epoch = history.filter(\.isRoot).map(\.epoch).max()
            let said = history.filter { $0.epoch == epoch }
            func reached(_ counts: (VerifiedStatement) -> Bool) -> Set<DeviceID> {
                var reached: Set<DeviceID> = []
                while true {
                    var next = reached
                    for statement in said {
                        switch statement.content {
                        case .founded(let device), .recovered(let device): next.insert(device.key.id)
                        case .admitted(let device) where reached.contains(statement.signer) && counts(statement):
                            next.insert(device.key.id)
                        case .admitted, .renamed, .revoked: break
                        }
                    }
                    if next == reached { return reached }
                    reached = next
                }
            }
            let everybody = reached { _ in true }
            let removals = said.compactMap { statement -> (DeviceID, Set<StatementID>)? in
                guard case .revoked(let device, let kept) = statement.content, everybody.contains(statement.signer)
                else { return nil }
                return (device, kept)
            }
            let counting = reached { statement in
                removals.allSatisfy { $0.0 != statement.signer || $0.1.contains(statement.id) }
            }
            let members = counting.subtracting(removals.map(\.0))
            #expect(Set(pool.roster(history).members.keys) == members, "seed \(seed)")
        }
    }

    private func expectSame(_ left: Roster, _ right: Roster, _ seed: UInt64) {
        #expect(left == right, "seed \(seed)")
        #expect(left.members == right.members, "seed \(seed)")
        #expect(left.digest == right.digest, "seed \(seed)")
        #expect(left.signedStatements.map(\.statement) == right.signedStatements.map(\.statement), "seed \(seed)")
    }
}

extension Roster {
    fileprivate func merged(_ other: Roster) -> Roster {
        var roster = self
        _ = roster.merge(other)
        return roster
    }
}

/// Many statements of six devices and the recovery key about one another. Signed once, and drawn from by every history.
struct StatementPool {
    static let shared = Result { try StatementPool() }

    let account: AccountID
    let founding: VerifiedStatement
    let recovery: VerifiedStatement
    private let statements: [VerifiedStatement]

    /// `clocks`: the error of each device's clock in milliseconds; the recovery key's clock is right.
    init(clocks: [Int64] = [0, 0, 0, 0, 0, 0]) throws {
        let account = try TestAccount()
        let devices = (1...6).map { Devices.key(UInt8($0)) }
        var statements: [SignedStatement] = []
        for epoch in UInt32(0)...1 {
            for (signer, clock) in zip(devices, clocks) {
                for (number, device) in devices.enumerated() {
                    statements.append(
                        try account.admission(
                            of: device, by: signer, name: "device \(number)", time: clock + Int64(number * 7919 % 13),
                            epoch: epoch))
                }
            }
        }
        let admissions = statements
        for (signer, clock) in zip(devices, clocks) {
            let time = clock + 2000
            for device in devices {
                let said = admissions.filter { $0.signer == device.publicKey.spki }
                for kept in [[], said, said.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)] {
                    statements.append(try account.removal(of: device, by: signer, keeping: kept, time: time))
                }
                statements.append(try account.removal(of: device, by: signer, time: time, epoch: 1))
                for number in UInt32(1)...2 {
                    statements.append(
                        try account.renaming(of: device, to: "name \(number)", by: signer, number: number, time: time))
                }
            }
        }
        let recoveries = [try account.recovery(of: devices[0]), try account.recovery(of: devices[2])]
        func verified(_ signed: SignedStatement) throws -> VerifiedStatement {
            try VerifiedStatement(signed, account: account.id)
        }
        self.account = account.id
        founding = try verified(account.founding)
        recovery = try verified(recoveries[0])
        self.statements = try statements.map(verified)
        self.recoveries = try recoveries.map(verified)
    }

    private let recoveries: [VerifiedStatement]

    /// Up to twenty statements in any order, nearly always with the founding, seldom with a recovery.
    func history(_ random: inout Randomness) -> [VerifiedStatement] {
        var drawn = (0..<Int.random(in: 0...20, using: &random)).map { _ in statements.randomElement(using: &random)! }
        if Int.random(in: 0..<8, using: &random) > 0 { drawn.append(founding) }
        if Int.random(in: 0..<8, using: &random) == 0 { drawn.append(recoveries.randomElement(using: &random)!) }
        return drawn.shuffled(using: &random)
    }

    func said(by device: DeviceID) -> [VerifiedStatement] { statements.filter { $0.signer == device } }

    func roster(_ history: [VerifiedStatement]) -> Roster {
        var roster = Roster(account: account)
        _ = roster.insert(history)
        return roster
    }

    func roster(_ random: inout Randomness) -> Roster { roster(history(&random)) }
}
