// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

package enum StatementRejection: String, Error, Hashable, Sendable {
    case unreadable
    /// Its effect would be unknown.
    case unknownKind
    case wrongAccount
    /// The signer's or the subject's: not a P-256 key in its only encoding.
    case badKey
    case badSignature
    /// Only the account's recovery key may sign it.
    case notTheRecoveryKey
    /// A founding after the first epoch, or a recovery in it.
    case wrongEpoch
    case epochTooFar
    case lastEpoch
    /// It can only return with a new key.
    case removedBefore
    case limitReached
}

extension StatementID {
    init(signer: [UInt8], statement: [UInt8]) {
        var hash = SHA256()
        // So that no byte can move from one to the other.
        hash.update(data: Array(SHA256.hash(data: signer)))
        hash.update(data: statement)
        self.init(uncheckedBytes: Array(hash.finalize()))
    }
}

/// Its signature is valid, and it names this account. The roster decides whether the signer may make it.
package struct VerifiedStatement: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// By the recovery key.
        case founded(Subject)
        case recovered(Subject)
        case admitted(Subject)
        case renamed(DeviceID, DisplayText, number: UInt32)
        /// Only those in `kept` stand.
        case revoked(DeviceID, kept: Set<StatementID>)
    }

    package struct Subject: Hashable, Sendable {
        package let key: DevicePublicKey
        package let name: DisplayText
        let kind: DeviceKind
    }

    /// A class, because each change of a roster sorts up to a thousand statements.
    private final class Facts: Sendable {
        let id: StatementID
        let account: AccountID
        let signer: DeviceID
        let time: WallTime
        let epoch: UInt32
        let content: Content
        let secretHash: [UInt8]?
        let signed: SignedStatement

        init(
            _ signed: SignedStatement, by signer: DeviceID, of statement: RosterStatement, _ content: Content,
            secretHash: [UInt8]?
        ) {
            id = StatementID(signer: signed.signer, statement: signed.statement)
            account = statement.account
            self.signer = signer
            time = statement.time
            epoch = statement.epoch
            self.content = content
            self.secretHash = secretHash
            self.signed = signed
        }
    }

    private let facts: Facts

    package var id: StatementID { facts.id }
    package var account: AccountID { facts.account }
    package var signer: DeviceID { facts.signer }
    package var time: WallTime { facts.time }
    package var epoch: UInt32 { facts.epoch }
    package var content: Content { facts.content }
    package var secretHash: [UInt8]? { facts.secretHash }
    package var signed: SignedStatement { facts.signed }

    package var isRoot: Bool {
        switch content {
        case .founded, .recovered: true
        case .admitted, .renamed, .revoked: false
        }
    }

    package init(_ signed: SignedStatement, account: AccountID) throws(StatementRejection) {
        var keys = KnownKeys()
        self = try UnprovenStatement(signed, account: account, keys: &keys).proven()
    }

    /// For an account that is not known yet.
    package init(root signed: SignedStatement) throws(StatementRejection) {
        guard let signer = try? DevicePublicKey(spki: signed.signer) else { throw .badKey }
        try self.init(signed, account: AccountID(recoveryKey: signer))
        guard isRoot else { throw .notTheRecoveryKey }
    }

    /// Only for `UnprovenStatement`.
    init(
        unproven signed: SignedStatement, account: AccountID, keys: inout KnownKeys
    ) throws(StatementRejection) {
        guard signed.byteCount <= Limits.statementBytes else { throw .unreadable }
        let statement: RosterStatement
        do throws(WireError) {
            statement = try RosterStatement(encoded: signed.statement)
        } catch {
            throw error.code == .unknownKind ? .unknownKind : .unreadable
        }
        guard statement.account == account else { throw .wrongAccount }
        let content: Content
        var secretHash: [UInt8]?
        switch statement.kind {
        case .founded(let device, let hash):
            guard statement.epoch == 0 else { throw .wrongEpoch }
            content = .founded(try Subject(device, &keys))
            secretHash = hash
        case .recovered(let device, let hash):
            guard statement.epoch > 0 else { throw .wrongEpoch }
            content = .recovered(try Subject(device, &keys))
            secretHash = hash
        case .admitted(let device): content = .admitted(try Subject(device, &keys))
        case .renamed(let device, let name, let number): content = .renamed(device, name, number: number)
        case .revoked(let device, let kept, let hash):
            content = .revoked(device, kept: Set(kept))
            secretHash = hash
        }
        let signer = try keys.key(signed.signer)
        facts = Facts(signed, by: signer.id, of: statement, content, secretHash: secretHash)
        guard !isRoot || AccountID(recoveryKey: signer) == account else { throw .notTheRecoveryKey }
    }

    /// Keeps signatures for other purposes from passing for statements.
    static func signedBytes(_ statement: [UInt8]) -> [UInt8] {
        Array("handoff-roster/1".utf8) + [0] + statement
    }

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension VerifiedStatement.Subject {
    fileprivate init(_ device: DeviceDescription, _ keys: inout KnownKeys) throws(StatementRejection) {
        key = try keys.key(device.key)
        name = device.name
        kind = device.kind
    }
}

extension RosterStatement {
    /// Throws if it is too large.
    package func signed(by key: DeviceKey) throws(WireError) -> SignedStatement {
        let statement = try encoded()
        return SignedStatement(
            statement: statement, signer: key.publicKey.spki,
            signature: key.signature(over: VerifiedStatement.signedBytes(statement)))
    }
}
