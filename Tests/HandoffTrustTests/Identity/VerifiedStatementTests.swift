// SPDX-License-Identifier: Apache-2.0

import Crypto
import HandoffWire
import Testing

@testable import HandoffTrust

@Suite struct VerifiedStatementTests {
    let account: TestAccount
    let admission: SignedStatement

    init() throws {
        account = try TestAccount()
        admission = try account.admission(of: Devices.desktop, by: Devices.laptop)
    }

    @Test func accountIsTheHashOfItsRecoveryKey() throws {
        let label = Array("handoff-account/1".utf8) + [0]
        #expect(account.id.bytes == Array(SHA256.hash(data: label + account.founding.signer)))
        #expect(try VerifiedStatement(root: account.founding).account == account.id)
    }

    @Test func signedAdmissionIsVerified() throws {
        let statement = try VerifiedStatement(admission, account: account.id)
        #expect(statement.signer == Devices.laptop.id)
        guard case .admitted(let subject) = statement.content else {
            Issue.record("not an admission")
            return
        }
        #expect(subject.key.id == Devices.desktop.id)
    }

    @Test func statementOfAnotherAccountIsRefused() throws {
        let neighbours = try TestAccount(secret: 8)
        #expect(throws: StatementRejection.wrongAccount) {
            try VerifiedStatement(admission, account: neighbours.id)
        }
        #expect(throws: StatementRejection.wrongAccount) {
            try VerifiedStatement(neighbours.founding, account: account.id)
        }
    }

    @Test func everyFlippedBitOfASignatureOrStatementIsNoticed() throws {
        for index in admission.statement.indices {
            var forged = admission
            forged.statement[index] ^= 1
            #expect(throws: StatementRejection.self) { try VerifiedStatement(forged, account: account.id) }
        }
        for index in admission.signature.indices {
            var forged = admission
            forged.signature[index] ^= 1
            #expect(throws: StatementRejection.badSignature) { try VerifiedStatement(forged, account: account.id) }
        }
    }

    @Test func signatureOfAnotherDeviceIsRefused() throws {
        var forged = admission
        forged.signer = Devices.strangersPhone.publicKey.spki
        #expect(throws: StatementRejection.badSignature) { try VerifiedStatement(forged, account: account.id) }
    }

    /// The signature covers its purpose, so that a signature over the bare bytes is invalid.
    @Test func signatureWithoutItsPurposeIsRefused() throws {
        let scalar = [UInt8](repeating: 1, count: 32)
        let laptop = try P256.Signing.PrivateKey(rawRepresentation: scalar)
        var forged = admission
        forged.signature = Array(try laptop.signature(for: admission.statement).derRepresentation)
        #expect(throws: StatementRejection.badSignature) { try VerifiedStatement(forged, account: account.id) }
    }

    /// A device id is the hash of a valid key.
    @Test func invalidKeyIsRefused() throws {
        var forged = admission
        forged.signer = Array(P384.Signing.PrivateKey().publicKey.derRepresentation)
        #expect(throws: StatementRejection.badKey) { try VerifiedStatement(forged, account: account.id) }

        let device = DeviceDescription(key: [1, 2, 3], name: DisplayText(cleaning: "nobody"), kind: .phone)
        let statement = RosterStatement(
            account: account.id, time: WallTime(milliseconds: 0), epoch: 0, kind: .admitted(device))
        let signed = try statement.signed(by: Devices.laptop)
        #expect(throws: StatementRejection.badKey) { try VerifiedStatement(signed, account: account.id) }
    }

    @Test func foundingRequiresTheRecoveryKey() throws {
        let signed = try account.statement(
            .founded(Devices.description(Devices.laptop), secretHash: TestAccount.secretHash), by: Devices.laptop)
        #expect(throws: StatementRejection.notTheRecoveryKey) { try VerifiedStatement(signed, account: account.id) }
        #expect(throws: StatementRejection.wrongAccount) { try VerifiedStatement(root: signed) }
    }

    @Test func admissionFoundsNothing() {
        #expect(throws: StatementRejection.self) { try VerifiedStatement(root: admission) }
    }

    @Test func removalThatKeepsTooMuchIsUnreadable() throws {
        let kept = (0...Limits.keptStatements).map {
            StatementID(uncheckedBytes: [UInt8](repeating: UInt8($0), count: 32))
        }
        let signed = try account.statement(
            .revoked(Devices.desktop.id, kept: kept, secretHash: TestAccount.secretHash), by: Devices.laptop)
        #expect(throws: StatementRejection.unreadable) { try VerifiedStatement(signed, account: account.id) }
        let fitting = try account.statement(
            .revoked(Devices.desktop.id, kept: kept.dropLast(), secretHash: TestAccount.secretHash), by: Devices.laptop)
        #expect(throws: Never.self) { try VerifiedStatement(fitting, account: account.id) }
    }

    @Test func unknownKindIsNamed() {
        // Only the account and an unknown field.
        let bytes: [UInt8] = [0x0A, 32] + account.id.bytes + [0xFA, 0x01, 0x00]
        let signed = SignedStatement(statement: bytes, signer: admission.signer, signature: admission.signature)
        #expect(throws: StatementRejection.unknownKind) { try VerifiedStatement(signed, account: account.id) }
    }

    @Test func bytesCutAtAnyLengthAreRefused() {
        for length in admission.statement.indices {
            var cut = admission
            cut.statement = Array(cut.statement.prefix(length))
            #expect(throws: StatementRejection.self) { try VerifiedStatement(cut, account: account.id) }
        }
    }

    @Test func statementAboveItsLimitIsRefused() {
        var large = admission
        large.signature += [UInt8](repeating: 0, count: Limits.statementBytes)
        #expect(throws: StatementRejection.unreadable) { try VerifiedStatement(large, account: account.id) }
    }
}
