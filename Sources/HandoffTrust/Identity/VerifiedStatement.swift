// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Why a roster does not take a statement.
package enum StatementRejection: String, Error, Hashable, Sendable {
    /// The bytes are not a statement.
    case unreadable
    /// Of a kind that this version does not know. Rejected, for what it would change cannot be known.
    case unknownKind
    case wrongAccount
    /// The signer, or the device that the statement is about, is not a P-256 key in its one encoding. The device id is
    /// the hash of that encoding, so it could be nobody's.
    case badKey
    case badSignature
    /// Only the account's recovery key may say that.
    case notTheRecoveryKey
    /// A founding in a later epoch than the first, or a recovery in the first.
    case wrongEpoch
    /// A recovery too many ahead of the last one known.
    case epochTooFar
    /// There can be no further recovery.
    case lastEpoch
    /// A removed device comes back with a new key only.
    case removedBefore
    /// The roster is full.
    case limitReached
}

extension StatementID {
    init(signer: [UInt8], statement: [UInt8]) {
        var hash = SHA256()
        // Hashed apart first, so that no byte can move from one to the other.
        hash.update(data: Array(SHA256.hash(data: signer)))
        hash.update(data: statement)
        self.init(uncheckedBytes: Array(hash.finalize()))
    }
}

/// A statement whose signer really signed it, for this account. Whether the signer may say so is the roster's question,
/// since that depends on the other statements.
package struct VerifiedStatement: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// These two are the recovery key's.
        case founded(Subject)
        case recovered(Subject)
        case admitted(Subject)
        case renamed(DeviceID, DisplayText, number: UInt32)
        /// Of that device's statements those in `kept` go on counting, and no other.
        case revoked(DeviceID, kept: Set<StatementID>)
    }

    /// The device that a statement is about.
    package struct Subject: Hashable, Sendable {
        package let key: DevicePublicKey
        package let name: DisplayText
        package let kind: DeviceKind
    }

    /// By reference: at each change a roster sorts and walks all of them, up to a thousand.
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
    /// SHA-256 of the beacon secret that came with it.
    package var secretHash: [UInt8]? { facts.secretHash }
    /// As it came, for passing on.
    package var signed: SignedStatement { facts.signed }

    /// Signed by the recovery key, so it hangs on no other statement.
    package var isRoot: Bool {
        switch content {
        case .founded, .recovered: true
        case .admitted, .renamed, .revoked: false
        }
    }

    /// Checks a statement that came from elsewhere.
    package init(_ signed: SignedStatement, account: AccountID) throws(StatementRejection) {
        var keys = KnownKeys()
        self = try UnprovenStatement(signed, account: account, keys: &keys).proven()
    }

    /// Checks a statement of the recovery key whose account is not known yet.
    package init(root signed: SignedStatement) throws(StatementRejection) {
        guard let signer = try? DevicePublicKey(spki: signed.signer) else { throw .badKey }
        try self.init(signed, account: AccountID(recoveryKey: signer))
        guard isRoot else { throw .notTheRecoveryKey }
    }

    /// Checks all but the signature: for `UnprovenStatement` alone.
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

    /// The statement after the name of its purpose: a signature made for something else can never pass for one here.
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
    /// Throws only for a statement too large to encode.
    package func signed(by key: DeviceKey) throws(WireError) -> SignedStatement {
        let statement = try encoded()
        return SignedStatement(
            statement: statement, signer: key.publicKey.spki,
            signature: key.signature(over: VerifiedStatement.signedBytes(statement)))
    }
}
