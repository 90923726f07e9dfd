// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffWire
import Testing

@testable import HandoffTrust

@Suite struct RosterTests {
    let account: TestAccount

    init() throws { account = try TestAccount() }

    @Test func founderIsTheFirstMember() {
        let roster = account.roster([account.founding])
        #expect(Set(roster.members.keys) == [Devices.laptop.id])
        #expect(roster.members[Devices.laptop.id]?.admittedBy == nil)
    }

    @Test func memberAdmitsAMember() throws {
        let roster = account.roster([
            account.founding,
            try account.admission(of: Devices.desktop, by: Devices.laptop),
            try account.admission(of: Devices.phone, by: Devices.desktop),
        ])
        #expect(Set(roster.members.keys) == [Devices.laptop.id, Devices.desktop.id, Devices.phone.id])
        #expect(roster.members[Devices.phone.id]?.admittedBy == Devices.desktop.id)
    }

    @Test func strangerAdmitsNoDevice() throws {
        let roster = account.roster([
            account.founding,
            try account.admission(of: Devices.strangersPhone, by: Devices.strangersPhone),
            try account.admission(of: Devices.phone, by: Devices.strangersPhone),
        ])
        #expect(Set(roster.members.keys) == [Devices.laptop.id])
        #expect(roster.pendingCount == 2)
    }

    @Test func pendingAdmissionTakesEffectOnceChainIsComplete() throws {
        var roster = account.roster([account.founding, try account.admission(of: Devices.phone, by: Devices.desktop)])
        #expect(roster.members[Devices.phone.id] == nil)
        let result = roster.merge([try account.admission(of: Devices.desktop, by: Devices.laptop)])
        #expect(result.changed)
        #expect(roster.members[Devices.phone.id] != nil)
        #expect(roster.pendingCount == 0)
    }

    @Test func knownStatementsChangeNothing() throws {
        let admission = try account.admission(of: Devices.desktop, by: Devices.laptop)
        var roster = account.roster([account.founding, admission])
        #expect(!roster.merge([admission, account.founding]).changed)
    }

    /// A second ECDSA signature does not make a second statement.
    @Test func secondSignatureOfAStatementIsNothingNew() throws {
        let first = try account.admission(of: Devices.desktop, by: Devices.laptop)
        let second = try account.admission(of: Devices.desktop, by: Devices.laptop)
        #expect(first.statement == second.statement)
        let (one, other) = (account.roster([account.founding, first]), account.roster([account.founding, second]))
        #expect(one == other)
        #expect(one.digest == other.digest)
    }

    @Test func oneBadStatementDoesNotSpoilTheOthers() throws {
        var forged = try account.admission(of: Devices.phone, by: Devices.laptop)
        forged.signature[10] ^= 1
        var roster = account.roster([account.founding])
        let result = roster.merge([forged, try account.admission(of: Devices.desktop, by: Devices.laptop)])
        #expect(result.rejections == [.badSignature])
        #expect(Set(roster.members.keys) == [Devices.laptop.id, Devices.desktop.id])
    }

    @Test func rostersOfTwoAccountsDoNotMix() throws {
        let neighbours = try TestAccount(founder: Devices.strangersPhone, secret: 8)
        var roster = account.roster([account.founding])
        let result = roster.merge(neighbours.roster([neighbours.founding]))
        #expect(!result.changed)
        #expect(result.rejections == [.wrongAccount])
    }

    @Test func digestTellsRostersApart() throws {
        let one = account.roster([account.founding])
        let two = account.roster([account.founding, try account.admission(of: Devices.desktop, by: Devices.laptop)])
        #expect(one.digest.count == 32)
        #expect(one.digest != two.digest)
        #expect(one.digest != (try TestAccount(secret: 9).roster([TestAccount(secret: 9).founding]).digest))
    }

    /// A flood of statements by unknown devices fills the roster, but displaces no valid statement.
    @Test func fullRosterMakesRoomForEffectiveStatements() throws {
        let flood = try (0..<Limits.rosterStatements + 10).map {
            try account.admission(of: Devices.phone, by: Devices.strangersPhone, time: Int64($0))
        }
        var roster = account.roster([account.founding])
        let flooded = roster.merge(flood)
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(flooded.rejections == [StatementRejection](repeating: .limitReached, count: 11))

        let result = roster.merge([try account.admission(of: Devices.desktop, by: Devices.laptop)])
        #expect(result.changed)
        #expect(result.rejections.isEmpty)
        #expect(roster.members[Devices.desktop.id] != nil)
        #expect(roster.statementCount == Limits.rosterStatements)
    }

    /// A hundred admissions of one device have the effect of one; the others make room.
    @Test func fullRosterMakesRoomByWhatChangesNothing() throws {
        let all = try (0..<Limits.rosterStatements - 1).map {
            try account.admission(of: Devices.desktop, by: Devices.laptop, time: Int64($0))
        }
        var roster = account.roster([account.founding] + all)
        #expect(roster.statementCount == Limits.rosterStatements)
        let result = roster.merge([try account.admission(of: Devices.phone, by: Devices.laptop)])
        #expect(result.rejections.isEmpty)
        #expect(roster.members.count == 3)
    }

    @Test func rosterOfEffectiveStatementsStaysWithinItsLimit() throws {
        let all = try (0..<Limits.rosterStatements - 1).map { _ in
            try account.admission(of: DeviceKey(), by: Devices.laptop)
        }
        var roster = account.roster([account.founding] + all)
        #expect(roster.members.count == Limits.rosterStatements)
        let result = roster.merge([try account.admission(of: Devices.phone, by: Devices.laptop)])
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(result.rejections == [.limitReached] || roster.members[Devices.phone.id] != nil)
    }

    /// Ten times the limit at once. It costs one check of each signature, and memory only up to the limit.
    @Test func tenThousandStatementsAreBounded() throws {
        let flood = try (0..<10_000).map {
            try account.admission(of: Devices.phone, by: Devices.strangersPhone, time: Int64($0))
        }
        var roster = account.roster([account.founding])
        let before = Self.reckoned()
        for start in stride(from: 0, to: flood.count, by: 100) { _ = roster.merge(flood[start..<start + 100]) }
        let took = Self.reckoned() - before
        #expect(roster.statementCount == Limits.rosterStatements)
        #expect(roster.signedStatements.reduce(0) { $0 + $1.byteCount } <= Limits.rosterBytes)
        #expect(took < .seconds(60), "\(took)")
    }

    /// This thread's CPU time, independent of other processes. It includes this thread's share of the signature checks;
    /// `bench-roster flood` measures all of them.
    private static func reckoned() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func rosterIsBoundedInBytes() throws {
        let long = String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", count: Limits.nameCharacters)
        let all = try (0..<600).map {
            try account.admission(of: Devices.desktop, by: Devices.laptop, name: long, time: Int64($0))
        }
        let roster = account.roster([account.founding] + all)
        let bytes = roster.signedStatements.reduce(0) { $0 + $1.byteCount }
        #expect(bytes <= Limits.rosterBytes)
        #expect(roster.statementCount < 600)
        // The limit's purpose: the answer to a joining device fits its frame.
        let frame = EnrollMessage.admission(
            .init(
                proof: [UInt8](repeating: 0, count: 32), roster: RosterUpdate(statements: roster.signedStatements)))
        #expect(try frame.encoded().count <= Limits.enrollFrameBytes)
    }
}
