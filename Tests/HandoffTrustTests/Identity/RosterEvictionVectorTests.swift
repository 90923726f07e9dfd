// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffTrust

/// `Protocol/vectors/roster-eviction.json`: the order in which a full roster drops its statements. The vector's roster
/// is not full, because the order follows from the set alone.
// Shows X06.
@Suite struct RosterEvictionVectorTests {
    struct Vector: Codable, Equatable {
        struct Statement: Codable, Equatable {
            var name, signer, statement, signature, id: String
        }

        var account: String
        var statements: [Statement]
        /// Ids of the members, given all statements.
        var members: [String]
        /// Ids of all statements, in the order of dropping.
        var dropped: [String]
    }

    @Test func statementsGoInTheOrderOfTheVector() throws {
        let story = try EvictionStory()
        if VectorFile.isWritten { try VectorFile.write(vector(of: story), to: "roster-eviction.json") }
        let vector = try VectorFile.read("roster-eviction.json", as: Vector.self)
        let account = try AccountID(hex: vector.account)
        var roster = Roster(account: account)
        for row in vector.statements {
            let signed = try signed(row)
            #expect(try VerifiedStatement(signed, account: account).id.hex == row.id, "\(row.name)")
            #expect(roster.merge([signed]).rejections == [], "\(row.name)")
        }
        let names = Dictionary(uniqueKeysWithValues: vector.statements.map { ($0.id, $0.name) })
        #expect(roster.droppingOrder.map { names[$0.hex] } == vector.dropped.map { names[$0] })
        #expect(roster.members.keys.map(\.hex).sorted() == vector.members)
        // Detects a change of either the file or the story.
        #expect(vector.statements.map(\.name) == story.said.map(\.name))
        #expect(try vector.statements.map(\.id) == story.said.map { try story.verified($0.statement).id.hex })
    }

    private func signed(_ row: Vector.Statement) throws -> SignedStatement {
        SignedStatement(
            statement: try #require([UInt8](hexadecimal: row.statement)),
            signer: try #require([UInt8](hexadecimal: row.signer)),
            signature: try #require([UInt8](hexadecimal: row.signature)))
    }

    /// Keeps the signature of an unchanged statement, because a statement has many valid signatures.
    private func vector(of story: EvictionStory) throws -> Vector {
        let before = try? VectorFile.read("roster-eviction.json", as: Vector.self)
        let roster = story.account.roster(story.said.map(\.statement))
        return Vector(
            account: story.account.id.hex,
            statements: try story.said.map { name, signed in
                let id = try story.verified(signed).id.hex
                return Vector.Statement(
                    name: name, signer: signed.signer.hexadecimal, statement: signed.statement.hexadecimal,
                    signature: before?.statements.first { $0.id == id }?.signature ?? signed.signature.hexadecimal,
                    id: id)
            },
            members: roster.members.keys.map(\.hex).sorted(), dropped: roster.droppingOrder.map(\.hex))
    }
}

/// Statements of every sort that the order distinguishes.
private struct EvictionStory {
    let account: TestAccount
    private(set) var said: [(name: String, statement: SignedStatement)] = []

    private static let spare = Devices.key(5)
    private static let watch = Devices.key(6)
    private static let fob = Devices.key(7)
    private static let clock = Devices.key(8)
    private static let car = Devices.key(9)
    private static let lost = Devices.key(40)
    private static let pawn = Devices.key(41)

    func verified(_ signed: SignedStatement) throws -> VerifiedStatement {
        try VerifiedStatement(signed, account: account.id)
    }

    init() throws {
        account = try TestAccount()
        try sayWhatFamiliesSay()
        try sayIneffectiveStatements()
        try sayALongChain()
        try removeTheClockAgainAndAgain()
        try sayWhatALostDeviceSays()
    }

    private mutating func say(_ name: String, _ statement: SignedStatement) -> SignedStatement {
        said.append((name, statement))
        return statement
    }

    private mutating func sayWhatFamiliesSay() throws {
        _ = say("the recovery key founds with the laptop", account.founding)
        for (name, device) in [("desktop", Devices.desktop), ("phone", Devices.phone), ("tablet", Devices.tablet)] {
            _ = say("laptop admits \(name)", try account.admission(of: device, by: Devices.laptop))
        }
        _ = say("laptop admits clock", try account.admission(of: Self.clock, by: Devices.laptop))
        _ = say("desktop admits spare", try account.admission(of: Self.spare, by: Devices.desktop))
        _ = say("phone admits watch", try account.admission(of: Self.watch, by: Devices.phone))
        _ = say("phone admits car", try account.admission(of: Self.car, by: Devices.phone))
        _ = say("laptop renames desktop", try account.renaming(of: Devices.desktop, to: "desk", by: Devices.laptop))
        _ = say("watch renames itself", try account.renaming(of: Self.watch, to: "wrist", by: Self.watch))
        _ = say("laptop removes tablet", try account.removal(of: Devices.tablet, by: Devices.laptop))
        _ = say("desktop removes car", try account.removal(of: Self.car, by: Devices.desktop))
    }

    private mutating func sayIneffectiveStatements() throws {
        _ = say(
            "a stranger admits itself", try account.admission(of: Devices.strangersPhone, by: Devices.strangersPhone))
        _ = say(
            "laptop admits fob, in an epoch that nobody began",
            try account.admission(of: Self.fob, by: Devices.laptop, epoch: 3))
        let fob = say(
            "tablet admits fob, which its removal does not keep",
            try account.admission(of: Self.fob, by: Devices.tablet))
        _ = say(
            "spare renames desktop, as a later number overrules",
            try account.renaming(of: Devices.desktop, to: "kitchen", by: Self.spare, number: 0))
        _ = say(
            "spare admits desktop once more", try account.admission(of: Devices.desktop, by: Self.spare, time: 3000))
        _ = say(
            "phone removes tablet, and keeps more than the laptop",
            try account.removal(of: Devices.tablet, by: Devices.phone, keeping: [fob]))
    }

    /// From the phone, one admission from the recovery key, to a device at a distance of ten.
    private mutating func sayALongChain() throws {
        var signer = Devices.phone
        for distance in UInt8(2)...10 {
            let next = Devices.key(18 + distance)
            _ = say("chain: a device at \(distance) is admitted", try account.admission(of: next, by: signer))
            signer = next
        }
        _ = say("chain: the one at 10 renames itself", try account.renaming(of: signer, to: "far", by: signer))
        _ = say("chain: the one at 10 removes watch", try account.removal(of: Self.watch, by: signer))
    }

    /// Each removal keeps one name fewer.
    private mutating func removeTheClockAgainAndAgain() throws {
        let names = try (1...5).map { number in
            say(
                "clock renames device \(number) of its own",
                try account.renaming(of: Devices.key(50 + UInt8(number)), to: "c\(number)", by: Self.clock))
        }
        for (index, remover) in [Devices.laptop, Devices.desktop, Devices.phone, Self.spare, Self.watch].enumerated() {
            _ = say(
                "clock is removed, all but name \(index + 1) kept",
                try account.removal(
                    of: Self.clock, by: remover,
                    keeping: names.enumerated().filter { $0.offset != index }.map(\.element)))
        }
        _ = say(
            "clock is removed, all names kept", try account.removal(of: Self.clock, by: Devices.desktop, keeping: names)
        )
    }

    /// The removed tablet admitted this device unseen: its removals are effective, but its other statements are not.
    private mutating func sayWhatALostDeviceSays() throws {
        _ = say("tablet admits lost", try account.admission(of: Self.lost, by: Devices.tablet))
        _ = say("lost admits pawn", try account.admission(of: Self.pawn, by: Self.lost))
        _ = say("lost removes spare", try account.removal(of: Self.spare, by: Self.lost))
        _ = say("lost removes pawn", try account.removal(of: Self.pawn, by: Self.lost))
    }
}
