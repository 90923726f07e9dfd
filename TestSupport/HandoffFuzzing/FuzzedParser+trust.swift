// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import HandoffTrust
internal import HandoffWire

extension FuzzedParser {
    /// Input that decides permissions.
    static let trust = [
        sealedBeacon, certificate, inviteCode, recoveryKey, credentials, account, statements, signedStatement,
        admission,
    ]

    /// The plaintext of a datagram from a holder of the key.
    private static let sealedBeacon = FuzzedParser("sealed-beacon") { bytes in
        let secret = [UInt8](repeating: 7, count: BeaconKey.byteCount)
        let key = try BeaconKey(bytes: secret)
        // Without sealing it is noise, too long, or a different version.
        try promise((try? key.open(bytes)) == nil, "noise opened")
        let plaintext = bytes + [UInt8](repeating: 0, count: max(0, 128 - bytes.count))
        let version = [ProtocolVersion.beacon]
        let box = try ChaChaPoly.seal(
            plaintext, using: SymmetricKey(data: secret), nonce: .init(data: [UInt8](repeating: 1, count: 12)),
            authenticating: version)
        guard let beacon = try? key.open(version + Array(box.combined)) else { return .refused }
        try promise(try key.open(try key.seal(beacon)) == beacon, "\(beacon) was read back as another beacon")
        return .taken
    }

    /// An unknown device's TLS certificate, or the key in it. The first byte selects which.
    private static let certificate = FuzzedParser("certificate") { bytes in
        let der = Array(bytes.dropFirst())
        guard (bytes.first ?? 0) % 2 == 0 else {
            return try roundTrip(der, parse: { try DevicePublicKey(spki: $0) }, write: \.spki)
        }
        guard let certificate = try? DeviceCertificate(der: der) else { return .refused }
        let again = try? DevicePublicKey(spki: certificate.publicKey.spki)
        try promise(again == certificate.publicKey, "a key that is not read again")
        return .taken
    }

    private static let inviteCode = FuzzedParser("invite-code") { bytes in
        try roundTrip(
            String(decoding: bytes, as: UTF8.self), parse: { try InviteCode(text: $0) }, write: \.text)
    }

    private static let recoveryKey = FuzzedParser("recovery-key") { bytes in
        guard let key = try? RecoveryKey(text: String(decoding: bytes, as: UTF8.self)) else { return .refused }
        let again = try RecoveryKey(text: key.text)
        try promise(again.text == key.text && again.account == key.account, "another recovery key was read back")
        return .taken
    }

    private static let credentials = FuzzedParser("credentials") { bytes in
        guard let file = try? CredentialsFile(bytes: bytes) else { return .refused }
        let again = try CredentialsFile(bytes: file.bytes)
        try promise(
            again.key.id == file.key.id && again.certificate == file.certificate, "other credentials were read back")
        return .taken
    }

    /// Without its heading and checksum, which random bytes never match.
    private static let account = FuzzedParser("account") { bytes in
        let body = Array("handoff-account/1\n".utf8) + bytes
        guard let record = try? AccountRecord(bytes: body + Array(SHA256.hash(data: body))) else { return .refused }
        let again = try AccountRecord(bytes: try record.encoded())
        try promise(again.roster.digest == record.roster.digest, "another roster was read back")
        try promise(again.beaconKey?.bytes == record.beaconKey?.bytes, "another beacon key was read back")
        return .taken
    }

    /// From a frame. No member signed them, so they must not admit a device.
    private static let statements = FuzzedParser("statements") { bytes in
        guard let statements = try? RosterUpdate(encoded: bytes).statements else { return .refused }
        var roster = FuzzedAccount.founded
        let before = roster.members
        let genuine = Set(FuzzedAccount.statements)
        let result = roster.merge(statements)
        let merged = Set(roster.signedStatements)
        try promise(merged.isSubset(of: genuine) || roster.members == before, "a stranger's statement is valid")
        try promise(result.rejections.count <= statements.count, "more statements were rejected than received")
        try checkLaws(of: roster, with: statements)
        return result.rejections.count < statements.count ? .taken : .refused
    }

    /// Any statement with a valid signature, from a compromised member.
    private static let signedStatement = FuzzedParser("signed-statement") { bytes in
        let verdict = try roundTrip(
            bytes, parse: { try RosterStatement(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken else { return .refused }
        var statement = try RosterStatement(encoded: bytes)
        statement.account = FuzzedAccount.id
        let signed = try statement.signed(by: FuzzedAccount.laptop)
        var roster = FuzzedAccount.founded
        _ = roster.merge([signed])
        try promise(roster.members.count <= Limits.devicesPerAccount, "more devices than an account has")
        try checkLaws(of: roster, with: [signed] + FuzzedAccount.statements)
        return .taken
    }

    /// Sent to a joining device by a device that knows the code.
    private static let admission = FuzzedParser("admission") { bytes in
        guard case .admission(let admission)? = try? EnrollMessage(encoded: bytes) else { return .refused }
        let record = try? AccountRecord(
            admission, joiner: FuzzedAccount.desktop.id, member: FuzzedAccount.laptop.id,
            time: WallTime(milliseconds: 3000))
        guard let record else { return .refused }
        try promise(record.roster.members[FuzzedAccount.desktop.id] != nil, "joined, but is not a member")
        _ = try AccountRecord(bytes: try record.encoded())
        return .taken
    }

    /// Order and repetition must not matter, and a roster's statements must rebuild it.
    private static func checkLaws(of roster: Roster, with statements: [SignedStatement]) throws {
        var twice = roster
        _ = twice.merge(roster)
        try promise(twice.digest == roster.digest, "merging a roster with itself changed it")
        var forwards = roster
        _ = forwards.merge(statements)
        var backwards = roster
        _ = backwards.merge(statements.reversed())
        try promise(forwards.digest == backwards.digest, "the order of arrival matters")
        try promise(forwards.members == backwards.members, "equal rosters have different members")
        var copy = Roster(account: roster.account)
        _ = copy.merge(
            try RosterUpdate(encoded: try RosterUpdate(statements: forwards.signedStatements).encoded()).statements)
        try promise(copy.digest == forwards.digest, "another roster was read back after merging")
    }
}
