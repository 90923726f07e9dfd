// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows T03, T04, X06.

@Suite struct RemovalTests {
    let account: TestAccount
    let laptop = Devices.laptop
    let desktop = Devices.desktop
    let phone = Devices.phone
    let tablet = Devices.tablet
    let desktopIn: SignedStatement
    let phoneIn: SignedStatement

    init() throws {
        account = try TestAccount()
        desktopIn = try account.admission(of: Devices.desktop, by: Devices.laptop)
        phoneIn = try account.admission(of: Devices.phone, by: Devices.laptop)
    }

    @Test func removedDeviceIsNotAMember() throws {
        let roster = account.roster([
            account.founding, desktopIn, phoneIn, try account.removal(of: phone, by: desktop, time: 5),
        ])
        #expect(Set(roster.members.keys) == [laptop.id, desktop.id])
        #expect(roster.removed[phone.id]?.by == desktop.id)
        #expect(roster.removed[phone.id]?.time == WallTime(milliseconds: 5))
    }

    @Test func removalByStrangerIsIgnored() throws {
        #expect(
            account.members(desktopIn, try account.removal(of: desktop, by: Devices.strangersPhone))
                == [laptop.id, desktop.id])
    }

    @Test func removedDevicesKeyIsNeverReadmitted() throws {
        let again = try account.admission(of: phone, by: laptop, time: 9_000_000)
        #expect(
            account.members(desktopIn, phoneIn, try account.removal(of: phone, by: desktop), again)
                == [laptop.id, desktop.id])
    }

    /// Regardless of its clock, and of the device that passes it on.
    @Test func laterStatementsOfRemovedDeviceAdmitNoDevice() throws {
        let early = try account.admission(of: tablet, by: phone, time: 0)
        let removal = try account.removal(of: phone, by: laptop, time: 9000)
        #expect(account.members(phoneIn, early) == [laptop.id, phone.id, tablet.id])
        #expect(account.members(phoneIn, removal, early) == [laptop.id])
        let name = try account.renaming(of: laptop, to: "mine now", by: phone, number: 99, time: 0)
        let roster = account.roster([account.founding, phoneIn, removal, name])
        #expect(roster.name(of: laptop.id)?.text == "founder")
        #expect(roster.pendingCount == 1)
    }

    @Test func statementsKeptByRemovalStayValid() throws {
        let tabletIn = try account.admission(of: tablet, by: phone)
        let name = try account.renaming(of: laptop, to: "the laptop", by: phone)
        let removal = try account.removal(of: phone, by: laptop, keeping: [tabletIn, name])
        let roster = account.roster([account.founding, phoneIn, tabletIn, name, removal])
        #expect(Set(roster.members.keys) == [laptop.id, tablet.id])
        #expect(roster.members[tablet.id]?.admittedBy == phone.id)
        #expect(roster.members[laptop.id]?.name.text == "the laptop")
    }

    /// Only one of the removals keeps the admission, so it does not stand.
    @Test func onlyStatementsKeptByBothRemovalsStayValid() throws {
        let tabletIn = try account.admission(of: tablet, by: phone)
        let one = try account.removal(of: phone, by: laptop, keeping: [tabletIn])
        let other = try account.removal(of: phone, by: desktop)
        #expect(account.members(desktopIn, phoneIn, tabletIn, one, other) == [laptop.id, desktop.id])
    }

    /// The removal and the admission were concurrent. Another member admits the same device, with the same key.
    @Test func deviceWhoseAdmissionWasLostInTheRaceCanBeAdmittedByAnother() throws {
        let removal = try account.removal(of: phone, by: laptop)
        let lost = try account.admission(of: tablet, by: phone)
        let again = try account.admission(of: tablet, by: laptop)
        #expect(account.members(phoneIn, lost, removal) == [laptop.id])
        #expect(account.members(phoneIn, lost, removal, again) == [laptop.id, tablet.id])
    }

    @Test func twoMembersThatRemoveEachOtherAreBothOut() throws {
        let statements = [
            desktopIn, phoneIn, try account.removal(of: desktop, by: phone),
            try account.removal(of: phone, by: desktop),
        ]
        for order in [statements, statements.reversed()] {
            #expect(Set(account.roster([account.founding] + order).members.keys) == [laptop.id])
        }
    }

    @Test func removalStandsWhenItsSignerIsRemovedToo() throws {
        #expect(
            account.members(
                desktopIn, phoneIn, try account.removal(of: phone, by: desktop),
                try account.removal(of: desktop, by: laptop)) == [laptop.id])
    }

    @Test func deviceCanRemoveItself() throws {
        #expect(account.members(phoneIn, try account.removal(of: phone, by: phone)) == [laptop.id])
    }

    @Test func highestNumberNamesADevice() throws {
        let roster = account.roster([
            account.founding, desktopIn,
            try account.renaming(of: desktop, to: "second", by: laptop, number: 2, time: 10),
            try account.renaming(of: desktop, to: "first", by: desktop, number: 1, time: 9000),
        ])
        #expect(roster.members[desktop.id]?.name.text == "second")
        #expect(roster.nextRenaming(of: desktop.id) == 3)
        #expect(roster.nextRenaming(of: laptop.id) == 1)
    }

    @Test func renamingOfTheSameNumberIsTheSameForAll() throws {
        let (one, other) = (
            try account.renaming(of: desktop, to: "one", by: laptop),
            try account.renaming(of: desktop, to: "other", by: desktop)
        )
        let first = account.roster([account.founding, desktopIn, one, other])
        let second = account.roster([other, one, desktopIn, account.founding])
        #expect(first.members == second.members)
    }

    // MARK: Recovery

    @Test func recoveryStartsOverWithOneDevice() throws {
        let removal = try account.removal(of: laptop, by: phone)
        let roster = account.roster([
            account.founding, desktopIn, phoneIn, removal, try account.recovery(of: laptop),
        ])
        #expect(Set(roster.members.keys) == [laptop.id])
        #expect(roster.epoch == 1)
        #expect(roster.removed.isEmpty)
        #expect(roster.pendingCount == 4)
    }

    /// A stolen device also signs in the new epoch, but no admission leads to it.
    @Test func devicesOfOldEpochAreNotMembersInNewEpoch() throws {
        let statements = [
            desktopIn, phoneIn, try account.recovery(of: laptop),
            try account.admission(of: tablet, by: phone, epoch: 1),
            try account.removal(of: laptop, by: phone, epoch: 1),
            try account.removal(of: laptop, by: phone, epoch: 0),
        ]
        #expect(Set(account.roster([account.founding] + statements).members.keys) == [laptop.id])
    }

    @Test func onlyTheRecoveryKeyRecovers() throws {
        let other = RecoveryKey()
        #expect(throws: StatementRejection.notTheRecoveryKey) {
            try VerifiedStatement(try account.recovery(of: phone, by: other), account: account.id)
        }
        let byAMember = try account.statement(
            .recovered(Devices.description(phone), secretHash: nil), by: laptop, epoch: 1)
        #expect(throws: StatementRejection.notTheRecoveryKey) {
            try VerifiedStatement(byAMember, account: account.id)
        }
        #expect(throws: StatementRejection.wrongEpoch) {
            try VerifiedStatement(try account.recovery(of: phone, epoch: 0), account: account.id)
        }
    }

    @Test func statementsOfAFutureEpochWait() throws {
        var roster = account.roster([
            account.founding, try account.admission(of: tablet, by: laptop, epoch: 1),
        ])
        #expect(roster.members[tablet.id] == nil)
        _ = roster.merge([try account.recovery(of: laptop)])
        #expect(roster.members[tablet.id] != nil)
    }

    // MARK: Limits

    /// The removed device fills the roster, and its removal by another device still fits.
    @Test func loudDeviceCannotKeepItsRemovalOut() throws {
        let noise = try (0..<Limits.rosterStatements + 50).map {
            try account.removal(of: Devices.strangersPhone, by: phone, time: Int64($0))
        }
        var roster = account.roster([account.founding, phoneIn] + noise)
        #expect(roster.statementCount == Limits.rosterStatements)
        let result = roster.merge([try account.removal(of: phone, by: laptop)])
        #expect(result.rejections.isEmpty)
        #expect(Set(roster.members.keys) == [laptop.id])
    }
}
