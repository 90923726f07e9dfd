// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

// Shows X06.

/// Random histories of an account, thousands of them, against the laws of a merge. The seed is in every failure.
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

    @Test func whoeverIsInStaysIn() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            var roster = Roster(account: pool.account)
            var before: Set<DeviceID> = []
            for statement in pool.history(&random) {
                _ = roster.insert([statement])
                let members = Set(roster.members.keys)
                #expect(members.isSuperset(of: before), "seed \(seed)")
                before = members
            }
        }
    }

    /// Against the definition, written in another way: repeat until nothing changes.
    @Test func membersAreWhoeverAChainFromTheFounderReaches() {
        for seed in 0..<Self.histories {
            var random = Randomness.seeded(seed)
            let history = pool.history(&random)
            var reached: Set<DeviceID> = []
            var before: Set<DeviceID>? = nil
            while reached != before {
                before = reached
                for statement in history {
                    switch statement.content {
                    case .founded(let founder): reached.insert(founder.key.id)
                    case .admitted(let device) where reached.contains(statement.signer): reached.insert(device.key.id)
                    case .admitted: break
                    }
                }
            }
            #expect(Set(pool.roster(history).members.keys) == reached, "seed \(seed)")
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

/// Everything that seven devices may say about one another, twice each: signed once, drawn from by every history.
struct StatementPool {
    static let shared = Result { try StatementPool() }

    let account: AccountID
    private let statements: [VerifiedStatement]

    private init() throws {
        let account = try TestAccount()
        let devices = (1...7).map { Devices.key(UInt8($0)) }
        var statements = [try VerifiedStatement(founding: account.founding)]
        for signer in devices {
            for (number, device) in devices.enumerated() {
                for time in [2000, 3000] {
                    let admission = try account.admission(
                        of: device, by: signer, name: "device \(number)", time: Int64(time))
                    statements.append(try VerifiedStatement(admission, account: account.id))
                }
            }
        }
        self.account = account.id
        self.statements = statements
    }

    /// Up to twelve statements in any order, nearly always with the founding one.
    func history(_ random: inout Randomness) -> [VerifiedStatement] {
        var drawn = (0..<Int.random(in: 0...12, using: &random)).map { _ in statements.randomElement(using: &random)! }
        if Int.random(in: 0..<8, using: &random) > 0 { drawn.append(statements[0]) }
        return drawn.shuffled(using: &random)
    }

    func roster(_ history: [VerifiedStatement]) -> Roster {
        var roster = Roster(account: account)
        _ = roster.insert(history)
        return roster
    }

    func roster(_ random: inout Randomness) -> Roster { roster(history(&random)) }
}
