// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffTrust

/// The same keys in every run.
enum Devices {
    static let laptop = key(1)
    static let desktop = key(2)
    static let phone = key(3)
    static let tablet = key(4)
    static let strangersPhone = key(99)

    static func key(_ number: UInt8) -> DeviceKey {
        do {
            return try DeviceKey(scalar: [UInt8](repeating: number, count: 32))
        } catch {
            preconditionFailure("not a scalar: \(error)")
        }
    }

    static func description(_ key: DeviceKey, name: String = "device") -> DeviceDescription {
        DeviceDescription(key: key.publicKey.spki, name: DisplayText(cleaning: name), kind: .laptop)
    }
}

/// An account that the laptop founded, and statements for it.
struct TestAccount {
    static let secretHash = [UInt8](repeating: 9, count: 32)

    let recovery: RecoveryKey
    let founding: SignedStatement
    var id: AccountID { recovery.account }

    init(founder: DeviceKey = Devices.laptop, secret: UInt8 = 7) throws {
        recovery = RecoveryKey(secret: [UInt8](repeating: secret, count: RecoveryKey.secretBytes))
        founding = try RosterStatement(
            account: recovery.account, time: WallTime(milliseconds: 1000), epoch: 0,
            kind: .founded(Devices.description(founder, name: "founder"), secretHash: Self.secretHash)
        ).signed(by: recovery.signing)
    }

    func admission(
        of device: DeviceKey, by signer: DeviceKey, name: String = "device", time: Int64 = 2000, epoch: UInt32 = 0
    ) throws -> SignedStatement {
        try statement(.admitted(Devices.description(device, name: name)), by: signer, time: time, epoch: epoch)
    }

    func renaming(
        of device: DeviceKey, to name: String, by signer: DeviceKey, number: UInt32 = 1, time: Int64 = 2000
    ) throws -> SignedStatement {
        try statement(
            .renamed(device.id, DisplayText(cleaning: name), number: number), by: signer, time: time)
    }

    func removal(
        of device: DeviceKey, by signer: DeviceKey, keeping kept: [SignedStatement] = [], time: Int64 = 2000,
        epoch: UInt32 = 0
    ) throws -> SignedStatement {
        let kept = try kept.map { try VerifiedStatement($0, account: id).id }
        return try statement(
            .revoked(device.id, kept: kept, secretHash: Self.secretHash), by: signer, time: time, epoch: epoch)
    }

    func recovery(of device: DeviceKey, epoch: UInt32 = 1, by key: RecoveryKey? = nil) throws -> SignedStatement {
        try statement(
            .recovered(Devices.description(device), secretHash: nil), by: (key ?? recovery).signing, epoch: epoch)
    }

    func statement(
        _ kind: RosterStatement.Kind, by signer: DeviceKey, time: Int64 = 2000, epoch: UInt32 = 0
    ) throws -> SignedStatement {
        try RosterStatement(account: id, time: WallTime(milliseconds: time), epoch: epoch, kind: kind).signed(
            by: signer)
    }

    func roster(_ statements: [SignedStatement]) -> Roster {
        var roster = Roster(account: id)
        _ = roster.merge(statements)
        return roster
    }

    /// Including the founding.
    func members(_ statements: SignedStatement...) -> Set<DeviceID> {
        Set(roster([founding] + statements).members.keys)
    }
}
