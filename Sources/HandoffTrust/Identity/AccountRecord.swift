// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// What a member keeps of its account: the roster and the beacon key, in one file, so that neither is there without the
/// other. The layout is ours alone and never travels:
///
///     "handoff-account/1\n" | account, 32 | beacon key, 32 | statements | SHA-256 of all before, 32
package struct AccountRecord: Sendable {
    package var roster: Roster
    package var beaconKey: BeaconKey

    package init(roster: Roster, beaconKey: BeaconKey) {
        self.roster = roster
        self.beaconKey = beaconKey
    }

    package enum Damage: String, Error, Hashable, Sendable {
        case notAnAccount = "it is not an account file of this version"
        case checksum = "its checksum does not match"
        case statements = "its statements cannot be read or are not signed"
        case notFounded = "it has no founding statement"
    }

    package func encoded() throws(WireError) -> [UInt8] {
        let body =
            try Self.heading + roster.account.bytes + beaconKey.bytes + SignedStatement.encoded(roster.signedStatements)
        return body + Array(SHA256.hash(data: body))
    }

    package init(bytes: [UInt8]) throws(Damage) {
        let key = Self.heading.count + AccountID.byteCount
        let statements = key + BeaconKey.byteCount
        guard bytes.count >= statements + Self.checksumBytes, bytes.starts(with: Self.heading) else {
            throw .notAnAccount
        }
        let end = bytes.count - Self.checksumBytes
        guard SHA256.hash(data: bytes[..<end]).elementsEqual(bytes[end...]) else { throw .checksum }
        do throws(WireError) {
            roster = Roster(account: try AccountID(bytes: bytes[Self.heading.count..<key]))
            beaconKey = try BeaconKey(bytes: Array(bytes[key..<statements]))
            let merged = roster.merge(try SignedStatement.decoded(Array(bytes[statements..<end])))
            guard merged.rejections.isEmpty else { throw WireError(.malformed, "") }
        } catch {
            throw .statements
        }
        guard !roster.members.isEmpty else { throw .notFounded }
    }

    private static let heading = Array("handoff-account/1\n".utf8)
    private static let checksumBytes = 32
}

extension AccountRecord {
    /// A new account of one device, with a fresh salt and a fresh beacon key.
    package static func founded(
        by key: DeviceKey, name: DisplayText, kind: DeviceKind, time: WallTime
    ) throws(WireError) -> AccountRecord {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let device = DeviceDescription(key: key.publicKey.spki, name: name, kind: kind)
        let statement = RosterStatement(account: nil, time: time, kind: .founded(device, salt: salt))
        let signed = try statement.signed(by: key)
        do throws(StatementRejection) {
            let founding = try VerifiedStatement(founding: signed)
            var roster = Roster(account: founding.account)
            _ = roster.insert([founding])
            return AccountRecord(roster: roster, beaconKey: BeaconKey())
        } catch {
            preconditionFailure("a founding statement of our own does not hold: \(error)")
        }
    }

    /// Signs a device into the account. Nothing happens where it is a member already. Throws `.limitReached` for a full
    /// roster or account.
    package mutating func admit(
        _ device: DevicePublicKey, name: DisplayText, kind: DeviceKind, by key: DeviceKey, time: WallTime
    ) throws {
        guard roster.members[device.id] == nil else { return }
        guard roster.members.count < Limits.devicesPerAccount else { throw StatementRejection.limitReached }
        let description = DeviceDescription(key: device.spki, name: name, kind: kind)
        let statement = RosterStatement(account: roster.account, time: time, kind: .admitted(description))
        let result = roster.merge([try statement.signed(by: key)])
        if let rejection = result.rejections.first { throw rejection }
    }

    /// Why what a member sent to a joining device makes it no member.
    package enum AdmissionRejection: String, Error, Hashable, Sendable {
        case notFounded = "it has no founding statement"
        case joinerMissing = "it does not admit this device"
        case memberMissing = "whoever sent it is no member"
        case beaconKey = "its beacon key is not one"
    }

    /// What a joining device got from `member`, once that one has proved the code.
    package init(
        _ admission: EnrollMessage.Admission, joiner: DeviceID, member: DeviceID
    ) throws(AdmissionRejection) {
        let founding = admission.roster.lazy.compactMap { try? VerifiedStatement(founding: $0) }.first
        guard let founding else { throw .notFounded }
        roster = Roster(account: founding.account)
        // Statements of a newer version are left out here, as in any merge; what counts is who is in.
        _ = roster.merge(admission.roster)
        guard roster.members[joiner] != nil else { throw .joinerMissing }
        guard roster.members[member] != nil else { throw .memberMissing }
        do { beaconKey = try BeaconKey(bytes: admission.beaconKey) } catch { throw .beaconKey }
    }
}
