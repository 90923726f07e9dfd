// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire

/// The devices of the tests, with the same keys in every run.
enum Devices {
    static let laptop = key(1)
    static let desktop = key(2)
    static let phone = key(3)
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
    let founding: SignedStatement
    let id: AccountID

    init(founder: DeviceKey = Devices.laptop, salt: UInt8 = 7) throws {
        founding = try RosterStatement(
            account: nil, time: WallTime(milliseconds: 1000),
            kind: .founded(Devices.description(founder, name: "founder"), salt: [UInt8](repeating: salt, count: 32))
        ).signed(by: founder)
        id = try VerifiedStatement(founding: founding).account
    }

    func admission(
        of device: DeviceKey, by signer: DeviceKey, name: String = "device", time: Int64 = 2000
    ) throws -> SignedStatement {
        try RosterStatement(
            account: id, time: WallTime(milliseconds: time), kind: .admitted(Devices.description(device, name: name))
        ).signed(by: signer)
    }

    func roster(_ statements: [SignedStatement]) -> Roster {
        var roster = Roster(account: id)
        _ = roster.merge(statements)
        return roster
    }
}
