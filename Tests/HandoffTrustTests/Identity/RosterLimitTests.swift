// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows T03, T04, X06.

/// The statements that a full roster keeps. An attacker has the phone and floods the roster, with devices that it
/// admits. The other devices' few statements stay.
@Suite struct RosterLimitTests {
    /// The laptop, the founder, admitted desktop, phone and tablet; the desktop the spare device, and the phone the
    /// watch. The laptop removed the tablet and gave three more names.
    let family: Family

    init() throws { family = try Family() }

    @Test func chainOfQuietSignersPutsNothingOut() throws {
        let puppets = try Puppets.shared.get()
        let chain = try puppets.chain(below: Devices.phone, family.account, length: Limits.rosterStatements)
        var roster = family.roster
        _ = roster.insert(chain)
        #expect(roster.statementCount == Limits.rosterStatements)
        family.expectAllOfIt(in: roster)
        #expect(roster.members[Devices.phone.id] != nil)

        // The last of them remove one another, which alone would not fit.
        _ = roster.insert(try puppets.removals(family.account, 400..<700))
        family.expectAllOfIt(in: roster)
        _ = roster.insert([family.phoneOut])
        #expect(Set(roster.members.keys) == family.membersWithoutThePhone)
    }

    /// Only the watch may be dropped, because the phone admitted it too.
    @Test func wideFanPutsNothingElseOut() throws {
        let puppets = try Puppets.shared.get()
        var roster = family.roster
        _ = roster.insert(try puppets.fan(below: Devices.phone, family.account, 0..<Limits.rosterStatements))
        #expect(roster.statementCount == Limits.rosterStatements)
        family.expectAllOfIt(in: roster, butTheWatch: true)
        _ = roster.insert([family.phoneOut] + family.statements)
        #expect(Set(roster.members.keys) == family.membersWithoutThePhone)
    }

    /// Hundreds of devices that each remove one. With their admissions, this exceeds the limit.
    @Test func fanOfRemoversPutsNothingElseOut() throws {
        let puppets = try Puppets.shared.get()
        var roster = family.roster
        _ = roster.insert(try puppets.fan(below: Devices.phone, family.account, 0..<600))
        _ = roster.insert(try puppets.removals(family.account, 0..<600))
        #expect(roster.statementCount == Limits.rosterStatements)
        family.expectAllOfIt(in: roster, butTheWatch: true)
        _ = roster.insert([family.phoneOut] + family.statements)
        #expect(Set(roster.members.keys) == family.membersWithoutThePhone)

        // Once the phone is removed, its statements displace no others.
        _ = roster.insert(try puppets.removals(family.account, 0..<600))
        _ = roster.insert(try puppets.fan(below: Devices.phone, family.account, 600..<Limits.rosterStatements))
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(Set(roster.members.keys) == family.membersWithoutThePhone)
    }

    /// The founder, from which all admissions start.
    @Test func stolenFounderCannotKeepItsRemovalOut() throws {
        let puppets = try Puppets.shared.get()
        let out = try family.verified(
            family.account.removal(
                of: Devices.laptop, by: Devices.desktop, keeping: [family.desktopIn, family.phoneIn]))
        var roster = family.roster
        _ = roster.insert(try puppets.fan(below: Devices.laptop, family.account, 0..<600))
        _ = roster.insert(try puppets.removals(family.account, 0..<600))
        _ = roster.insert([out])
        _ = roster.insert(family.statements)
        let left = Set([Devices.desktop, Devices.phone, Family.spare, Family.watch].map(\.id))
        #expect(Set(roster.members.keys) == left)
        _ = roster.insert(try puppets.fan(below: Devices.laptop, family.account, 600..<Limits.rosterStatements))
        #expect(Set(roster.members.keys) == left)
    }

    /// A removed device admitted the signer, and the remover did not know. The signer is not valid, but its removal is
    /// effective.
    @Test func removalStaysWithTheAdmissionsBehindIt() throws {
        let lost = try family.verified(family.account.admission(of: Devices.key(40), by: Devices.phone))
        let removal = try family.verified(family.account.removal(of: Family.spare, by: Devices.key(40)))
        let noise = try (0..<Limits.rosterStatements).map {
            try family.verified(
                family.account.admission(of: Devices.strangersPhone, by: Devices.strangersPhone, time: Int64($0)))
        }
        var roster = family.roster
        _ = roster.insert([family.phoneOut, lost, removal])
        _ = roster.insert(noise)
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(roster.removed[Family.spare.id]?.by == Devices.key(40).id)
        // A former member can verify it.
        let told = family.account.roster(roster.removalNotice)
        #expect(told.removed.keys == roster.removed.keys)
        #expect(told.members[Family.spare.id] == nil)
    }

    /// Many removals of one device are reduced to those that differ.
    @Test func fullRosterKeepsTheSameOfSeveralRemovals() throws {
        let (one, other) = (
            try family.account.removal(
                of: Devices.phone, by: Devices.desktop, keeping: [family.watchIn, family.fobIn]),
            try family.account.removal(of: Devices.phone, by: Devices.laptop, keeping: [family.watchIn])
        )
        let noise = try (0..<Limits.rosterStatements).map {
            try family.verified(
                family.account.removal(
                    of: Devices.phone, by: Devices.phone, keeping: [family.watchIn, family.fobIn], time: Int64($0)))
        }
        var roster = family.roster
        _ = roster.insert(try [family.verified(family.fobIn)])
        #expect(roster.members[Family.fob.id] != nil)
        _ = roster.insert(noise)
        _ = roster.insert(try [family.verified(other), family.verified(one)])
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(Set(roster.members.keys) == family.membersWithoutThePhone)
    }

    /// Endless renaming does not grow a roster.
    @Test func onlyLastNameBySameDeviceIsKept() throws {
        let names = try (1...900).map { number in
            try family.account.renaming(
                of: Devices.desktop, to: "name \(number)", by: Devices.phone, number: UInt32(number))
        }
        var roster = family.roster
        let before = roster.statementCount
        for part in stride(from: 0, to: names.count, by: 100) { _ = roster.merge(names[part..<part + 100]) }
        #expect(roster.statementCount == before + 1)
        #expect(roster.name(of: Devices.desktop.id)?.text == "name 900")
        // In a different order, and repeatedly.
        var other = family.roster
        _ = other.merge(names.reversed())
        #expect(other == roster)
        let again = other.merge(names)
        #expect(!again.changed && again.rejections.isEmpty)
    }

    @Test func namesGoBeforeAdmissions() throws {
        let puppets = try Puppets.shared.get()
        var roster = family.roster
        let devices = try puppets.fan(below: Devices.laptop, family.account, 0..<600)
        _ = roster.insert(devices)
        let members = roster.members.count
        _ = roster.insert(
            try (0..<600).map {
                try family.verified(
                    family.account.renaming(of: puppets.keys[$0], to: "name \($0)", by: Devices.laptop, number: 1))
            })
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(roster.members.count == members)
    }

    /// All statements of the family and of a flood, in any order and parts of any size. A device that the founder
    /// removed, or that was not farther from it than the attacker, never becomes a member again. Once the family repeats
    /// its statements, as devices do when they connect, the flood has no effect.
    @Test(.timeLimit(.minutes(4))) func noOrderOfAFloodBringsARemovedDeviceBack() throws {
        let flood = try Puppets.shared.get().flood(by: Devices.phone, family.account)
        let sure = [Devices.tablet.id, Devices.phone.id]
        for seed in 0..<UInt64(12) {
            var random = Randomness.seeded(seed)
            var parts: [[VerifiedStatement]] = []
            var rest = (family.statements + [family.phoneOut] + flood).shuffled(using: &random)[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 40...400, using: &random))
                parts.append(Array(part))
                rest = rest.dropFirst(part.count)
            }
            var roster = Roster(account: family.account.id)
            var out: Set<DeviceID> = []
            for part in parts {
                _ = roster.insert(part)
                out.formUnion(sure.filter { roster.removed[$0] != nil })
                #expect(out.isDisjoint(with: roster.members.keys), "seed \(seed)")
                #expect(out.isSubset(of: roster.removed.keys), "seed \(seed)")
                #expect(roster.statementCount <= Limits.rosterStatements)
            }
            _ = roster.insert(family.statements + [family.phoneOut])
            #expect(Set(roster.members.keys) == family.membersWithoutThePhone, "seed \(seed)")
            // With a device that received the flood in a different order.
            var other = Roster(account: family.account.id)
            _ = other.insert(parts.reversed().joined())
            _ = other.merge(roster)
            _ = roster.merge(other)
            #expect(Set(roster.members.keys) == family.membersWithoutThePhone, "seed \(seed)")
            #expect(Set(other.members.keys) == family.membersWithoutThePhone, "seed \(seed)")
        }
    }
}

/// Devices with ordinary statements.
struct Family {
    static let spare = Devices.key(5)
    static let watch = Devices.key(6)
    static let fob = Devices.key(7)

    let account: TestAccount
    let desktopIn: SignedStatement
    let phoneIn: SignedStatement
    let watchIn: SignedStatement
    /// Also admitted by the phone, unseen by the others.
    let fobIn: SignedStatement
    let statements: [VerifiedStatement]
    /// By the desktop, which keeps the watch.
    let phoneOut: VerifiedStatement
    let membersWithoutThePhone = Set([Devices.laptop, Devices.desktop, spare, watch].map(\.id))

    init() throws {
        let account = try TestAccount()
        desktopIn = try account.admission(of: Devices.desktop, by: Devices.laptop)
        phoneIn = try account.admission(of: Devices.phone, by: Devices.laptop)
        watchIn = try account.admission(of: Self.watch, by: Devices.phone)
        fobIn = try account.admission(of: Self.fob, by: Devices.phone)
        statements = try [
            account.founding, desktopIn, phoneIn, watchIn,
            account.admission(of: Devices.tablet, by: Devices.laptop),
            account.admission(of: Self.spare, by: Devices.desktop),
            account.removal(of: Devices.tablet, by: Devices.laptop),
            account.renaming(of: Devices.laptop, to: "study", by: Devices.laptop),
            account.renaming(of: Devices.desktop, to: "kitchen", by: Devices.laptop),
        ].map { try VerifiedStatement($0, account: account.id) }
        phoneOut = try VerifiedStatement(
            account.removal(of: Devices.phone, by: Devices.desktop, keeping: [watchIn]), account: account.id)
        self.account = account
    }

    var roster: Roster {
        var roster = Roster(account: account.id)
        _ = roster.insert(statements)
        return roster
    }

    func verified(_ signed: SignedStatement) throws -> VerifiedStatement {
        try VerifiedStatement(signed, account: account.id)
    }

    func expectAllOfIt(in roster: Roster, butTheWatch: Bool = false, sourceLocation: SourceLocation = #_sourceLocation)
    {
        var here = membersWithoutThePhone.union([Devices.phone.id])
        if butTheWatch { here.remove(Self.watch.id) }
        #expect(here.isSubset(of: roster.members.keys), sourceLocation: sourceLocation)
        #expect(roster.removed[Devices.tablet.id] != nil, sourceLocation: sourceLocation)
        #expect(roster.members[Devices.tablet.id] == nil, sourceLocation: sourceLocation)
    }
}

/// Keys that an attacker creates, admits and signs with.
struct Puppets {
    static let shared = Result { try Puppets() }

    let keys: [DeviceKey]

    private init() throws {
        keys = try (0..<Limits.rosterStatements).map { number in
            let (high, low) = (UInt8(number / 256 + 1), UInt8(number % 256))
            return try DeviceKey(scalar: [UInt8](repeating: 200, count: 30) + [high, low])
        }
    }

    func chain(below thief: DeviceKey, _ account: TestAccount, length: Int) throws -> [VerifiedStatement] {
        try (0..<length).map { number in
            try verified(
                account.admission(of: keys[number], by: number == 0 ? thief : keys[number - 1]), account)
        }
    }

    func fan(below thief: DeviceKey, _ account: TestAccount, _ numbers: Range<Int>) throws -> [VerifiedStatement] {
        try numbers.map { try verified(account.admission(of: keys[$0], by: thief), account) }
    }

    /// Each removes the next.
    func removals(_ account: TestAccount, _ numbers: Range<Int>) throws -> [VerifiedStatement] {
        try numbers.map { number in
            try verified(account.removal(of: keys[(number + 1) % keys.count], by: keys[number]), account)
        }
    }

    /// A mixture: a fan, chains, removals of one another and of unknown devices, names.
    func flood(by thief: DeviceKey, _ account: TestAccount) throws -> [VerifiedStatement] {
        var flood = try fan(below: thief, account, 0..<250)
        for number in 250..<500 {
            let signer = number < 260 ? thief : keys[number - 10]
            flood.append(try verified(account.admission(of: keys[number], by: signer), account))
        }
        flood += try removals(account, 0..<500)
        for number in 0..<300 {
            let (target, signer) = (keys[500 + number], number.isMultiple(of: 2) ? thief : keys[number])
            flood.append(try verified(account.removal(of: target, by: signer), account))
            flood.append(
                try verified(
                    account.renaming(of: keys[number], to: "mine \(number)", by: keys[number], number: 9), account))
        }
        return flood
    }

    private func verified(_ signed: SignedStatement, _ account: TestAccount) throws -> VerifiedStatement {
        try VerifiedStatement(signed, account: account.id)
    }
}
