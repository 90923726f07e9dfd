// SPDX-License-Identifier: Apache-2.0

import HandoffTrust
import HandoffWire
import Testing

@Suite struct AccountRecordTests {
    let laptop = Devices.laptop
    let desktop = Devices.desktop
    let name = DisplayText(cleaning: "laptop")
    var record: AccountRecord

    init() throws {
        record = try .founded(
            by: Devices.laptop, name: DisplayText(cleaning: "laptop"), kind: .laptop, time: WallTime(milliseconds: 5))
    }

    @Test func foundingMakesAnAccountOfOneDevice() {
        #expect(Array(record.roster.members.keys) == [laptop.id])
    }

    @Test func noTwoAccountsAreAlike() throws {
        let again = try AccountRecord.founded(by: laptop, name: name, kind: .laptop, time: WallTime(milliseconds: 5))
        #expect(again.roster.account != record.roster.account)
        #expect(again.beaconKey.bytes != record.beaconKey.bytes)
    }

    @Test mutating func comesBackFromItsBytes() throws {
        try admitDesktop()
        let again = try AccountRecord(bytes: try record.encoded())
        #expect(again.roster == record.roster)
        #expect(again.beaconKey.bytes == record.beaconKey.bytes)
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

    @Test mutating func admissionMakesAMember() throws {
        try admitDesktop()
        let received = try AccountRecord(admission(), joiner: desktop.id, member: laptop.id)
        #expect(received.roster == record.roster)
    }

    @Test mutating func admissionThatLeavesSomebodyOutIsRefused() throws {
        #expect(throws: AccountRecord.AdmissionRejection.joinerMissing) {
            try AccountRecord(admission(), joiner: desktop.id, member: laptop.id)
        }
        try admitDesktop()
        #expect(throws: AccountRecord.AdmissionRejection.memberMissing) {
            try AccountRecord(admission(), joiner: desktop.id, member: Devices.strangersPhone.id)
        }
        var headless = admission()
        headless.roster.removeAll { (try? VerifiedStatement(founding: $0)) != nil }
        #expect(throws: AccountRecord.AdmissionRejection.notFounded) {
            try AccountRecord(headless, joiner: desktop.id, member: laptop.id)
        }
        var keyless = admission()
        keyless.beaconKey.removeLast()
        #expect(throws: AccountRecord.AdmissionRejection.beaconKey) {
            try AccountRecord(keyless, joiner: desktop.id, member: laptop.id)
        }
    }

    private mutating func admitDesktop() throws {
        try record.admit(
            desktop.publicKey, name: DisplayText(cleaning: "desktop"), kind: .desktop, by: laptop,
            time: WallTime(milliseconds: 6))
    }

    private func admission() -> EnrollMessage.Admission {
        .init(
            proof: [UInt8](repeating: 0, count: 32), roster: record.roster.signedStatements,
            beaconKey: record.beaconKey.bytes)
    }
}
