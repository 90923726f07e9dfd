// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// The roster and the beacon key's secrets. Both grow only by merging, so equal contents give equal members and keys.
///
/// The key is derived from the secrets of all effective roots and removals. A removed device never gets its own
/// removal's secret, so of two devices removed independently, neither can derive the key.
package struct AccountRecord: Sendable {
    static let formerKeyLifetime = Duration.seconds(30 * 24 * 3600)
    /// The oldest is dropped.
    static let formerKeys = 4

    package private(set) var roster: Roster
    private var secrets: [StatementID: [UInt8]] = [:]
    private var former: [FormerKey] = []
    package private(set) var beaconKey: BeaconKey?
    /// This device created the account; its user has not confirmed having the recovery key.
    package var isRecoveryKeyUnconfirmed = false

    private struct FormerKey {
        let key: BeaconKey
        let expires: WallTime
        /// May not have the newer key.
        var waiting: Set<DeviceID>
    }

    package init(account: AccountID) { roster = Roster(account: account) }

    // MARK: Sending

    /// For members: includes the secrets.
    package var update: RosterUpdate {
        RosterUpdate(
            statements: roster.signedStatements,
            secrets: heldSecrets.map { BeaconSecret(statement: $0.id, secret: $0.secret) })
    }

    /// 32 bytes; see docs/protocol.md.
    package var digest: [UInt8] {
        var hash = SHA256()
        hash.update(data: Array("handoff-account-digest/1".utf8) + [0])
        hash.update(data: roster.digest)
        for held in heldSecrets { hash.update(data: held.id.bytes) }
        return Array(hash.finalize())
    }

    private var heldSecrets: [(id: StatementID, secret: [UInt8])] {
        roster.secretStatements.compactMap { statement in secrets[statement.id].map { (statement.id, $0) } }
    }

    package struct Extent: Hashable, Sendable {
        fileprivate var statements: Set<StatementID> = []
        fileprivate var secrets: Set<StatementID> = []

        package init() {}
    }

    package var extent: Extent {
        var extent = Extent()
        extent.statements = roster.statementIDs
        extent.secrets = Set(heldSecrets.map(\.id))
        return extent
    }

    /// For members.
    package func update(since told: Extent) -> RosterUpdate {
        RosterUpdate(
            statements: roster.signedStatements(without: told.statements),
            secrets: heldSecrets.filter { !told.secrets.contains($0.id) }
                .map { BeaconSecret(statement: $0.id, secret: $0.secret) })
    }

    // MARK: Receiving

    package func unknown(of update: RosterUpdate) -> RosterUpdate {
        RosterUpdate(
            statements: roster.unknown(of: update.statements),
            secrets: update.secrets.filter { secrets[$0.statement] == nil })
    }

    /// Skips invalid statements.
    package mutating func merge(
        _ update: RosterUpdate, on device: DeviceID, at now: WallTime
    ) -> Roster.MergeResult {
        var result = roster.merge(update.statements)
        let awaited = Dictionary(
            roster.secretStatements.map { ($0.id, $0.hash) }, uniquingKeysWith: { first, _ in first })
        for secret in update.secrets where secrets[secret.statement] == nil {
            guard let hash = awaited[secret.statement], SHA256.hash(data: secret.secret).elementsEqual(hash) else {
                continue
            }
            secrets[secret.statement] = secret.secret
            result.changed = true
        }
        if result.changed { makeKey(on: device, at: now) }
        return result
    }

    /// `secret` belongs to the first statement. Throws `.limitReached`.
    mutating func say(
        _ said: [SignedStatement], secret: [UInt8]? = nil, on device: DeviceID, at now: WallTime
    ) throws(StatementRejection) {
        var update = RosterUpdate(statements: said)
        if let secret, let first = said.first {
            let id = StatementID(signer: first.signer, statement: first.statement)
            update.secrets = [BeaconSecret(statement: id, secret: secret)]
        }
        if let rejection = merge(update, on: device, at: now).rejections.first { throw rejection }
    }

    private var derivedKey: BeaconKey? {
        let held = heldSecrets
        return held.isEmpty ? nil : BeaconKey(secrets: held.map(\.secret), account: roster.account)
    }

    private mutating func makeKey(on device: DeviceID, at now: WallTime) {
        let before = beaconKey
        beaconKey = derivedKey
        former.removeAll { $0.expires <= now }
        guard let before, before.bytes != beaconKey?.bytes else { return }
        let waiting = Set(roster.members.keys).subtracting([device])
        former.append(FormerKey(key: before, expires: now.advanced(by: Self.formerKeyLifetime), waiting: waiting))
        if former.count > Self.formerKeys { former.removeFirst() }
        let members = Set(roster.members.keys)
        stopWaiting { !members.contains($0) }
    }

    // MARK: Former keys

    /// Only for members that may lack the newer key. Former keys never seal.
    package func openFormer(_ datagram: [UInt8], at now: WallTime) -> Beacon? {
        for former in former where now < former.expires {
            if let beacon = try? former.key.open(datagram) {
                return former.waiting.contains(beacon.device) ? beacon : nil
            }
        }
        return nil
    }

    package mutating func hasCaughtUp(_ device: DeviceID) -> Bool {
        guard former.contains(where: { $0.waiting.contains(device) }) else { return false }
        stopWaiting { $0 == device }
        return true
    }

    private mutating func stopWaiting(for isDone: (DeviceID) -> Bool) {
        for index in former.indices { former[index].waiting = former[index].waiting.filter { !isDone($0) } }
        former.removeAll { $0.waiting.isEmpty }
    }
}

// MARK: - On disk

extension AccountRecord {
    package enum Damage: String, Error, Hashable, Sendable {
        case notAnAccount = "it is not an account file of this version"
        case checksum = "its checksum does not match"
        case statements = "its statements cannot be read"
        case notFounded = "it has no statement by a recovery key"
    }

    /// "handoff-account/1\n" | StoredAccount | SHA-256 of all before, 32. Never sent.
    package func encoded() throws(WireError) -> [UInt8] {
        let stored = StoredAccount(
            account: roster.account, roster: update,
            former: former.map {
                .init(key: $0.key.bytes, expires: $0.expires, waiting: $0.waiting.sorted())
            }, isRecoveryKeyUnconfirmed: isRecoveryKeyUnconfirmed)
        let body = Self.heading + (try stored.encoded())
        return body + Array(SHA256.hash(data: body))
    }

    package init(bytes: [UInt8]) throws(Damage) {
        let start = Self.heading.count
        guard bytes.count >= start + Self.checksumBytes, bytes.starts(with: Self.heading) else { throw .notAnAccount }
        let end = bytes.count - Self.checksumBytes
        guard SHA256.hash(data: bytes[..<end]).elementsEqual(bytes[end...]) else { throw .checksum }
        do {
            let stored = try StoredAccount(encoded: Array(bytes[start..<end]))
            self.init(account: stored.account)
            try roster.restore(stored.roster.statements)
            isRecoveryKeyUnconfirmed = stored.isRecoveryKeyUnconfirmed
            for secret in stored.roster.secrets { secrets[secret.statement] = secret.secret }
            for key in stored.former {
                former.append(
                    FormerKey(
                        key: try BeaconKey(bytes: key.key), expires: key.expires, waiting: Set(key.waiting)))
            }
        } catch {
            throw .statements
        }
        guard roster.isFounded else { throw .notFounded }
        beaconKey = derivedKey
    }

    private static let heading = Array("handoff-account/1\n".utf8)
    private static let checksumBytes = 32
}

extension BeaconKey {
    init(secrets: [[UInt8]], account: AccountID) {
        self.init(
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secrets.flatMap { $0 }), salt: Array("handoff-beacon/1".utf8),
                info: account.bytes, outputByteCount: Self.byteCount))
    }
}
