// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

/// The laptop founded the account and admitted desktop and phone. The phone admitted three devices, and the first of
/// these another.
@Suite struct AdmittedRemovalTests {
    let laptop = Devices.laptop
    let desktop = Devices.desktop
    let phone = Devices.phone
    let admitted = [Devices.key(10), Devices.key(11), Devices.key(12)]
    let byAdmitted = Devices.key(20)
    let now = WallTime(milliseconds: 6)
    var record: AccountRecord

    init() throws {
        record = try AccountRecord.founded(
            by: Devices.laptop, name: DisplayText(cleaning: "laptop"), kind: .laptop, time: WallTime(milliseconds: 5)
        ).record
        for device in [desktop, phone] { try admit(device, by: laptop) }
        for device in admitted { try admit(device, by: phone) }
        try admit(byAdmitted, by: admitted[0])
    }

    private mutating func admit(_ device: DeviceKey, by signer: DeviceKey) throws {
        try record.admit(
            device.publicKey, name: DisplayText(cleaning: "device"), kind: .phone, by: signer, time: now)
    }

    private var members: Set<DeviceID> { Set(record.roster.members.keys) }

    @Test mutating func oneStatementRemovesADeviceAndAllThatAreMembersOnlyThroughIt() throws {
        let before = record.roster.statementCount
        try record.remove(phone.id, withAdmitted: true, by: laptop, time: now)
        #expect(members == [laptop.id, desktop.id])
        #expect(record.roster.statementCount == before + 1)
        #expect(Set(record.roster.removed.keys) == [phone.id])
    }

    @Test mutating func thePlainRemovalKeepsThoseThatItAdmitted() throws {
        try record.remove(phone.id, by: laptop, time: now)
        #expect(members == Set([laptop, desktop, byAdmitted].map(\.id) + admitted.map(\.id)))
    }

    @Test mutating func deviceThatAnotherMemberAdmittedTooStays() throws {
        let again = try statement(of: admitted[1], by: desktop)
        _ = record.merge(RosterUpdate(statements: [again]), on: laptop.id, at: now)
        try record.remove(phone.id, withAdmitted: true, by: laptop, time: now)
        #expect(members == [laptop.id, desktop.id, admitted[1].id])
    }

    private func statement(of device: DeviceKey, by signer: DeviceKey) throws -> SignedStatement {
        try RosterStatement(
            account: record.roster.account, time: now, epoch: 0, kind: .admitted(Devices.description(device))
        ).signed(by: signer)
    }

    /// A removal that included its own signer would leave the account to the others.
    @Test mutating func theRemoverStaysWithTheDevicesThroughWhichItIsAMember() throws {
        try record.remove(laptop.id, withAdmitted: true, by: byAdmitted, time: now)
        #expect(members == Set([phone, byAdmitted].map(\.id) + admitted.map(\.id)))
        try record.remove(phone.id, withAdmitted: true, by: byAdmitted, time: now)
        #expect(members == [admitted[0].id, byAdmitted.id])
    }

    @Test mutating func itWorksAfterThePlainRemovalToo() throws {
        try record.remove(phone.id, by: laptop, time: now)
        let key = try #require(record.beaconKey)
        try record.remove(phone.id, withAdmitted: true, by: laptop, time: now)
        #expect(members == [laptop.id, desktop.id])
        #expect(record.beaconKey?.bytes != key.bytes)
    }

    @Test mutating func namesThatItGaveStay() throws {
        let name = DisplayText(cleaning: "the desktop")
        try record.rename(desktop.id, to: name, by: phone, time: now)
        try record.remove(phone.id, withAdmitted: true, by: laptop, time: now)
        #expect(record.roster.members[desktop.id]?.name == name)
    }

    @Test mutating func aLaterAdmissionByItMakesNoMember() throws {
        var apart = record
        try apart.admit(
            Devices.key(30).publicKey, name: DisplayText(cleaning: "late"), kind: .phone, by: admitted[0], time: now)
        try record.remove(phone.id, withAdmitted: true, by: laptop, time: now)
        _ = record.merge(apart.update, on: laptop.id, at: now)
        #expect(members == [laptop.id, desktop.id])
    }

    @Test mutating func removedDevicesAreStillKnownAsAdmitters() throws {
        try record.rename(phone.id, to: DisplayText(cleaning: "phone"), by: phone, time: now)
        try record.remove(phone.id, by: laptop, time: now)
        #expect(record.roster.members[admitted[0].id]?.admittedBy == phone.id)
        let former = try #require(record.roster.membersEvenRemoved[phone.id])
        #expect(former.name.text == "phone")
        #expect(former.admittedBy == laptop.id)
    }
}
