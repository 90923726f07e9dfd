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
    /// A founding statement that was not signed by the device it founds the account with.
    case notTheFounder
    /// The roster is full.
    case limitReached
}

/// Which statement: the hash of who says what. The signature is no part of it, for one statement can be signed in many
/// ways.
package struct StatementID: FixedBytesIdentifier {
    package static let byteCount = 32
    package static let noun = "statement id"
    package let bytes: [UInt8]
    package init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }

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
        case founded(Subject)
        case admitted(Subject)
    }

    /// The device that a statement is about.
    package struct Subject: Hashable, Sendable {
        package let key: DevicePublicKey
        package let name: DisplayText
        package let kind: DeviceKind
    }

    package let id: StatementID
    package let account: AccountID
    package let signer: DeviceID
    package let time: WallTime
    package let content: Content
    /// As it came, for passing on.
    package let signed: SignedStatement

    /// Checks a statement that came from elsewhere.
    package init(_ signed: SignedStatement, account expected: AccountID) throws(StatementRejection) {
        try self.init(signed) { account throws(StatementRejection) in
            guard account == expected else { throw .wrongAccount }
        }
    }

    /// Checks a founding statement whose account is not known yet: its hash is the account.
    package init(founding signed: SignedStatement) throws(StatementRejection) {
        try self.init(signed) { _ throws(StatementRejection) in }
        guard case .founded = content else { throw .notTheFounder }
    }

    private init(
        _ signed: SignedStatement, checkAccount: (AccountID) throws(StatementRejection) -> Void
    ) throws(StatementRejection) {
        guard signed.byteCount <= Limits.statementBytes else { throw .unreadable }
        let statement: RosterStatement
        do throws(WireError) {
            statement = try RosterStatement(encoded: signed.statement)
        } catch {
            throw error.code == .unknownKind ? .unknownKind : .unreadable
        }
        let content: Content
        let account: AccountID
        switch statement.kind {
        case .founded(let device, _):
            guard statement.account == nil else { throw .unreadable }
            account = AccountID(founding: signed.statement)
            content = .founded(try Subject(device))
        case .admitted(let device):
            guard let named = statement.account else { throw .wrongAccount }
            account = named
            content = .admitted(try Subject(device))
        }
        // Cheap checks first: the signature is the dear one.
        try checkAccount(account)
        let signer: DevicePublicKey
        do { signer = try DevicePublicKey(spki: signed.signer) } catch { throw .badKey }
        guard signer.isValid(signature: signed.signature, over: Self.signedBytes(signed.statement)) else {
            throw .badSignature
        }
        if case .founded(let founder) = content, founder.key != signer { throw .notTheFounder }
        self.id = StatementID(signer: signed.signer, statement: signed.statement)
        self.account = account
        self.signer = signer.id
        self.time = statement.time
        self.content = content
        self.signed = signed
    }

    /// The statement after the name of its purpose: a signature made for something else can never pass for one here.
    fileprivate static func signedBytes(_ statement: [UInt8]) -> [UInt8] {
        Array("handoff-roster/1".utf8) + [0] + statement
    }

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension VerifiedStatement.Subject {
    fileprivate init(_ device: DeviceDescription) throws(StatementRejection) {
        do { key = try DevicePublicKey(spki: device.key) } catch { throw .badKey }
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

extension SignedStatement {
    package var byteCount: Int { statement.count + signer.count + signature.count }
}

extension AccountID {
    /// The account that this founding statement begins.
    init(founding statement: [UInt8]) { self.init(uncheckedBytes: Array(SHA256.hash(data: statement))) }
}
