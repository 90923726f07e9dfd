// SPDX-License-Identifier: Apache-2.0

package import HandoffTrust
package import HandoffWire

/// The account that foreign statements meet: the same in every run, so that they can be kept.
package enum FuzzedAccount {
    package static let laptop = key(1)
    package static let desktop = key(2)

    private static func key(_ number: UInt8) -> DeviceKey {
        do { return try DeviceKey(scalar: [UInt8](repeating: number, count: 32)) } catch {
            fatalError("no key: \(error)")
        }
    }

    private static func describe(_ key: DeviceKey, _ name: String) -> DeviceDescription {
        DeviceDescription(key: key.publicKey.spki, name: DisplayText(cleaning: name), kind: .laptop)
    }

    /// Founded by the laptop; the desktop was admitted.
    package static let statements: [SignedStatement] = {
        do {
            let founding = try RosterStatement(
                account: nil, time: WallTime(milliseconds: 1000),
                kind: .founded(describe(laptop, "laptop"), salt: [UInt8](repeating: 7, count: 32))
            ).signed(by: laptop)
            let account = try VerifiedStatement(founding: founding).account
            let admission = try RosterStatement(
                account: account, time: WallTime(milliseconds: 2000), kind: .admitted(describe(desktop, "desktop"))
            ).signed(by: laptop)
            return [founding, admission]
        } catch {
            fatalError("no account: \(error)")
        }
    }()

    package static let founded: Roster = {
        do {
            var roster = Roster(account: try VerifiedStatement(founding: statements[0]).account)
            _ = roster.merge(statements)
            return roster
        } catch {
            fatalError("no roster: \(error)")
        }
    }()

    package static var id: AccountID { founded.account }
}
