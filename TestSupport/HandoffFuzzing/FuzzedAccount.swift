// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffTrust
package import HandoffWire

/// The account for untrusted statements. The same in every run, so that inputs can be kept.
package enum FuzzedAccount {
    package static let laptop = key(1)
    package static let desktop = key(2)
    /// Only for sessions.
    package static let phone = key(3)

    private static func key(_ number: UInt8) -> DeviceKey {
        do { return try DeviceKey(scalar: [UInt8](repeating: number, count: 32)) } catch {
            fatalError("no key: \(error)")
        }
    }

    private static func describe(_ key: DeviceKey, _ name: String) -> DeviceDescription {
        DeviceDescription(key: key.publicKey.spki, name: DisplayText(cleaning: name), kind: .laptop)
    }

    package static let recovery = RecoveryKey(secret: [UInt8](repeating: 7, count: RecoveryKey.secretBytes))
    package static var id: AccountID { recovery.account }
    /// Its hash is in the founding.
    package static let secret = [UInt8](repeating: 5, count: 32)

    /// Founded with the laptop, which admitted the desktop.
    package static let statements: [SignedStatement] = {
        func statement(_ time: Int64, _ kind: RosterStatement.Kind) -> RosterStatement {
            RosterStatement(account: id, time: WallTime(milliseconds: time), epoch: 0, kind: kind)
        }
        let hash = Array(SHA256.hash(data: secret))
        do {
            return [
                try statement(1000, .founded(describe(laptop, "laptop"), secretHash: hash)).signed(
                    by: recovery.signing),
                try statement(2000, .admitted(describe(desktop, "desktop"))).signed(by: laptop),
            ]
        } catch {
            fatalError("no account: \(error)")
        }
    }()

    package static let update: RosterUpdate = {
        do {
            let founding = try VerifiedStatement(root: statements[0]).id
            return RosterUpdate(
                statements: statements, secrets: [BeaconSecret(statement: founding, secret: secret)])
        } catch {
            fatalError("no account: \(error)")
        }
    }()

    package static let record: AccountRecord = {
        var record = AccountRecord(account: id)
        _ = record.merge(update, on: laptop.id, at: WallTime(milliseconds: 3000))
        return record
    }()

    package static var founded: Roster { record.roster }

    /// With the phone, which the laptop admitted.
    static let recordOfThree: AccountRecord = {
        var record = Self.record
        let words = RosterStatement(
            account: id, time: WallTime(milliseconds: 3000), epoch: 0, kind: .admitted(describe(phone, "phone")))
        do {
            let update = RosterUpdate(statements: [try words.signed(by: laptop)])
            _ = record.merge(update, on: laptop.id, at: WallTime(milliseconds: 3000))
            return record
        } catch {
            fatalError("no account: \(error)")
        }
    }()
}
