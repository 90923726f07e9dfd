// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

@Suite struct AccountRecordTests {
    let laptop = Devices.laptop
    let desktop = Devices.desktop
    let name = DisplayText(cleaning: "laptop")
    let later = WallTime(milliseconds: 6)
    var record: AccountRecord
    let recovery: RecoveryKey

    init() throws {
        (record, recovery) = try AccountRecord.founded(
            by: Devices.laptop, name: DisplayText(cleaning: "laptop"), kind: .laptop, time: WallTime(milliseconds: 5))
    }

    @Test func foundingMakesAnAccountOfOneDevice() {
        #expect(Array(record.roster.members.keys) == [laptop.id])
    }

    @Test func noTwoAccountsAreAlike() throws {
        let again = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: later).record
        #expect(again.roster.account != record.roster.account)
        #expect(again.beaconKey?.bytes != record.beaconKey?.bytes)
    }

    @Test mutating func comesBackFromItsBytes() throws {
        try admitDesktop()
        let again = try AccountRecord(bytes: try record.encoded())
        #expect(again.roster == record.roster)
        #expect(again.beaconKey?.bytes == record.beaconKey?.bytes && again.beaconKey != nil)
    }

    @Test func everyFlippedByteAndEveryCutIsDamage() throws {
        let bytes = try record.encoded()
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1
            #expect(throws: AccountRecord.Damage.self) { try AccountRecord(bytes: flipped) }
            #expect(throws: AccountRecord.Damage.self) { try AccountRecord(bytes: Array(bytes.prefix(index))) }
        }
    }

    @Test mutating func admittingTwiceIsAdmittingOnce() throws {
        try admitDesktop()
        let before = record.roster
        try admitDesktop()
        #expect(record.roster == before)
    }

    @Test mutating func accountIsFullAtItsLimit() throws {
        for number in 2...UInt8(Limits.devicesPerAccount) {
            try record.admit(
                Devices.key(number).publicKey, name: name, kind: .phone, by: laptop, time: WallTime(milliseconds: 6))
        }
        #expect(record.roster.members.count == Limits.devicesPerAccount)
        #expect(throws: StatementRejection.limitReached) {
            try record.admit(
                Devices.strangersPhone.publicKey, name: name, kind: .phone, by: laptop,
                time: WallTime(milliseconds: 6))
        }
    }

    // MARK: Removal

    /// Shows T04: the removed device's data do not suffice for the new key.
    @Test mutating func removedDeviceCannotMakeTheNewBeaconKey() throws {
        try admitDesktop()
        var theirs = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        #expect(theirs.beaconKey?.bytes == record.beaconKey?.bytes)
        let before = try #require(record.beaconKey)
        try record.remove(desktop.id, by: laptop, time: later)
        #expect(record.beaconKey?.bytes != before.bytes)
        _ = theirs.merge(RosterUpdate(statements: record.roster.signedStatements), on: desktop.id, at: later)
        #expect(theirs.roster == record.roster)
        #expect(theirs.beaconKey?.bytes == before.bytes)
    }

    /// Two members each remove a different device, independently. The remaining devices derive the same key from both.
    @Test mutating func independentRemovalsYieldOneKeyUnknownToTheRemoved() throws {
        for key in [desktop, Devices.phone, Devices.tablet] { try admit(key) }
        var other = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        let phones = other
        try record.remove(Devices.phone.id, by: laptop, time: later)
        try other.remove(Devices.tablet.id, by: desktop, time: later)
        let (ours, theirs) = (record.update, other.update)
        // The phone learns of the tablet's removal, because the desktop does not know about the phone's.
        var phone = phones
        _ = phone.merge(theirs, on: Devices.phone.id, at: later)
        _ = record.merge(theirs, on: laptop.id, at: later)
        _ = other.merge(ours, on: desktop.id, at: later)
        #expect(record.digest == other.digest)
        #expect(record.beaconKey?.bytes == other.beaconKey?.bytes)
        _ = phone.merge(RosterUpdate(statements: record.roster.signedStatements), on: Devices.phone.id, at: later)
        #expect(phone.roster == record.roster)
        #expect(phone.beaconKey?.bytes != record.beaconKey?.bytes)
    }

    @Test mutating func removalKeepsWhatTheDeviceHadDone() throws {
        try admitDesktop()
        try record.admit(
            Devices.phone.publicKey, name: DisplayText(cleaning: "phone"), kind: .phone, by: desktop, time: later)
        try record.rename(laptop.id, to: DisplayText(cleaning: "old laptop"), by: desktop, time: later)
        try record.remove(desktop.id, by: laptop, time: later)
        #expect(Set(record.roster.members.keys) == [laptop.id, Devices.phone.id])
        #expect(record.roster.members[laptop.id]?.name.text == "old laptop")
    }

    @Test mutating func removedKeyIsNotAdmittedAgain() throws {
        try admitDesktop()
        try record.remove(desktop.id, by: laptop, time: later)
        #expect(throws: StatementRejection.removedBefore) { try admitDesktop() }
    }

    /// Its hash is not the signed one.
    @Test mutating func forgedSecretIsIgnored() throws {
        let before = record.beaconKey?.bytes
        var update = record.update
        try admitDesktop()
        try record.remove(desktop.id, by: laptop, time: later)
        update = record.update
        for index in update.secrets.indices { update.secrets[index].secret[0] ^= 1 }
        var fresh = AccountRecord(account: record.roster.account)
        _ = fresh.merge(update, on: laptop.id, at: later)
        #expect(fresh.beaconKey == nil)
        #expect(before != nil)
    }

    /// Shows Y04 in part: only a member that was away may still use its former key.
    @Test mutating func formerKeyIsHeardForMembersThatWereAway() throws {
        for key in [desktop, Devices.phone] { try admit(key) }
        let former = try #require(record.beaconKey)
        try record.remove(Devices.phone.id, by: laptop, time: later)
        func beacon(_ device: DeviceID) -> Beacon {
            Beacon(device: device, port: 1, boot: BootID(1), time: later, isAnswer: false)
        }
        let (away, thief) = (try former.seal(beacon(desktop.id)), try former.seal(beacon(Devices.phone.id)))
        #expect(record.openFormer(away, at: later) == beacon(desktop.id))
        #expect(record.openFormer(thief, at: later) == nil)
        #expect(record.openFormer(away, at: later.advanced(by: AccountRecord.formerKeyLifetime)) == nil)
        let stored = try AccountRecord(bytes: try record.encoded())
        #expect(stored.openFormer(away, at: later) == beacon(desktop.id))
        let isNews = record.hasCaughtUp(desktop.id)
        #expect(isNews)
        #expect(record.openFormer(away, at: later) == nil)
        let isNewsAgain = record.hasCaughtUp(desktop.id)
        #expect(!isNewsAgain)
    }

    // MARK: A device that left has the key

    /// Shows T04. A device that left knows every secret, including that of its own removal.
    @Test mutating func renewedKeyIsUnknownToADeviceThatLeft() throws {
        for key in [desktop, Devices.phone] { try admit(key) }
        var leaver = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        try leaver.remove(desktop.id, by: desktop, time: later)
        _ = record.merge(leaver.update, on: laptop.id, at: later)
        #expect(record.beaconKey?.bytes == leaver.beaconKey?.bytes)
        #expect(record.roster.removedWithTheKey == [desktop.id])
        let members = record.roster.members
        try record.renewBeaconKey(by: laptop, time: later)
        #expect(record.roster.removedWithTheKey == [])
        #expect(record.roster.members == members)
        // Even if it receives all statements.
        _ = leaver.merge(RosterUpdate(statements: record.roster.signedStatements), on: desktop.id, at: later)
        #expect(record.beaconKey?.bytes != leaver.beaconKey?.bytes)
    }

    /// Shows T04. Two devices removed each other, so an owner of both has both secrets.
    @Test mutating func stayingMemberMakesAKeyAfterTwoRemovedEachOther() throws {
        for key in [desktop, Devices.phone] { try admit(key) }
        var theirs = record
        try theirs.remove(Devices.phone.id, by: desktop, time: later)
        var others = record
        try others.remove(desktop.id, by: Devices.phone, time: later)
        _ = record.merge(theirs.update, on: laptop.id, at: later)
        #expect(record.roster.removedWithTheKey == [])
        _ = record.merge(others.update, on: laptop.id, at: later)
        #expect(Set(record.roster.removedWithTheKey) == [desktop.id, Devices.phone.id])
        _ = theirs.merge(others.update, on: desktop.id, at: later)
        try record.renewBeaconKey(by: laptop, time: later)
        #expect(record.roster.removedWithTheKey == [])
        #expect(Set(record.roster.members.keys) == [laptop.id])
        _ = theirs.merge(RosterUpdate(statements: record.roster.signedStatements), on: desktop.id, at: later)
        #expect(theirs.beaconKey?.bytes != record.beaconKey?.bytes)
    }

    // MARK: News

    @Test mutating func newsAreWhatCameSince() throws {
        try admitDesktop()
        let told = record.extent
        #expect(record.update(since: told).isEmpty)
        try record.rename(laptop.id, to: DisplayText(cleaning: "old laptop"), by: laptop, time: later)
        try record.remove(desktop.id, by: laptop, time: later)
        let news = record.update(since: told)
        #expect(news.statements.count == 2)
        #expect(news.secrets.count == 1)
        #expect(record.update(since: AccountRecord.Extent()) == record.update)
        #expect(record.unknown(of: record.update).isEmpty)
    }

    // MARK: Recovery

    /// Shows X06. A former holder of the recovery key may have signed the highest possible epoch.
    @Test func accountWhoseEpochsAreUsedUpIsAnErrorAndNoTrap() throws {
        let account = try TestAccount()
        var record = AccountRecord(account: account.id)
        let last = try account.recovery(of: Devices.phone, epoch: .max)
        _ = record.merge(RosterUpdate(statements: [last]), on: laptop.id, at: later)
        #expect(record.roster.epoch == .max)
        #expect(throws: StatementRejection.lastEpoch) {
            try record.recover(
                with: account.recovery, key: laptop, name: name, kind: .laptop, keeping: [], time: later)
        }
    }

    /// Shows X06.
    @Test func recoveryTooFarAheadIsRejected() throws {
        let account = try TestAccount()
        var record = AccountRecord(account: account.id)
        _ = record.merge(RosterUpdate(statements: [account.founding]), on: laptop.id, at: later)
        for epoch in [UInt32.max, UInt32.max - 1, Roster.epochsAhead + 1] {
            let ahead = try account.recovery(of: Devices.phone, epoch: epoch)
            let result = record.merge(RosterUpdate(statements: [ahead]), on: laptop.id, at: later)
            #expect(result.rejections == [StatementRejection.epochTooFar])
            #expect(record.roster.recoveries(in: [ahead]).isEmpty)
        }
        #expect(record.roster.epoch == 0)
        // A device that missed a few recoveries still accepts the next.
        let next = try account.recovery(of: Devices.phone, epoch: Roster.epochsAhead)
        #expect(record.roster.recoveries(in: [next]) == [next])
        _ = record.merge(RosterUpdate(statements: [next]), on: laptop.id, at: later)
        #expect(record.roster.epoch == Roster.epochsAhead)
    }

    /// Shows X06. This checks no signature.
    @Test func onlyWhatCouldBeARecoveryIsLookedAt() throws {
        let account = try TestAccount()
        let other = try TestAccount(secret: 8)
        let roster = account.roster([account.founding])
        var forged = try account.recovery(of: Devices.phone)
        forged.signature = []
        let past = try account.recovery(of: Devices.phone, epoch: 0)
        let strangers = try other.recovery(of: Devices.phone)
        let admission = try account.admission(of: Devices.phone, by: laptop)
        #expect(roster.recoveries(in: [forged, past, strangers, admission, account.founding]) == [forged])
    }

    @Test func recoveryNeedsNothingButTheKey() throws {
        var fresh = AccountRecord(account: recovery.account)
        try fresh.recover(
            with: recovery, key: Devices.tablet, name: name, kind: .tablet, keeping: [], time: later)
        #expect(Set(fresh.roster.members.keys) == [Devices.tablet.id])
        #expect(fresh.beaconKey != nil)
        // The other devices' statements are history, regardless of how they arrive.
        _ = fresh.merge(record.update, on: Devices.tablet.id, at: later)
        #expect(Set(fresh.roster.members.keys) == [Devices.tablet.id])
        #expect(fresh.beaconKey?.bytes != record.beaconKey?.bytes)
    }

    @Test mutating func recoveryKeepsWhoIsToStay() throws {
        for key in [desktop, Devices.phone] { try admit(key) }
        let desktops = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        try record.recover(
            with: recovery, key: laptop, name: name, kind: .laptop, keeping: [desktop.id], time: later)
        #expect(Set(record.roster.members.keys) == [laptop.id, desktop.id])
        var theirs = desktops
        _ = theirs.merge(record.update, on: desktop.id, at: later)
        #expect(theirs.digest == record.digest)
        #expect(theirs.beaconKey?.bytes == record.beaconKey?.bytes)
        // Former keys stay valid, because the desktop may not know the new one.
        let away = try #require(desktops.beaconKey).seal(
            Beacon(device: desktop.id, port: 1, boot: BootID(1), time: later, isAnswer: false))
        #expect(record.openFormer(away, at: later) != nil)
    }

    private mutating func admit(_ key: DeviceKey) throws {
        try record.admit(
            key.publicKey, name: DisplayText(cleaning: "device"), kind: .desktop, by: laptop, time: later)
    }

    @Test mutating func admissionMakesAMember() throws {
        try admitDesktop()
        let received = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        #expect(received.roster == record.roster)
    }

    @Test mutating func incompleteAdmissionIsRefused() throws {
        #expect(throws: AccountRecord.AdmissionRejection.joinerMissing) {
            try AccountRecord(admission(), joiner: desktop.id, member: laptop.id, time: later)
        }
        try admitDesktop()
        #expect(throws: AccountRecord.AdmissionRejection.memberMissing) {
            try AccountRecord(admission(), joiner: desktop.id, member: Devices.strangersPhone.id, time: later)
        }
        var headless = admission()
        headless.roster.statements.removeAll { (try? VerifiedStatement(root: $0)) != nil }
        #expect(throws: AccountRecord.AdmissionRejection.notFounded) {
            try AccountRecord(headless, joiner: desktop.id, member: laptop.id, time: later)
        }
        var keyless = admission()
        keyless.roster.secrets.removeAll()
        #expect(throws: AccountRecord.AdmissionRejection.beaconKey) {
            try AccountRecord(keyless, joiner: desktop.id, member: laptop.id, time: later)
        }
    }

    private mutating func admitDesktop() throws {
        try record.admit(
            desktop.publicKey, name: DisplayText(cleaning: "desktop"), kind: .desktop, by: laptop,
            time: WallTime(milliseconds: 6))
    }

    private func admission() -> EnrollMessage.Admission {
        .init(proof: [UInt8](repeating: 0, count: 32), roster: record.update)
    }
}
