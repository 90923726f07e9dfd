// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffTrust

/// `Protocol/vectors/` for invites, beacons and the roster. A small implementation in another language, made only from
/// docs/protocol.md, wrote them, so they also show that the specification suffices.
@Suite struct TrustVectorTests {
    struct InviteVector: Decodable {
        var code, bytes, beaconKey, callSecret, joiner, member, joinerProof, memberProof: String
        var joinerNonce, memberNonce, commitment, number: String
    }

    @Test func invitesAreAsTheVectorsSay() throws {
        for vector in try VectorFile.read("invites.json", as: [InviteVector].self) {
            let code = try InviteCode(text: vector.code)
            #expect(code.text == vector.code)
            #expect(code.beaconKey.bytes.hexadecimal == vector.beaconKey)
            #expect(code.callSecret.bytes.hexadecimal == vector.callSecret)
            let proof = InviteProof(
                code: code, joiner: try DeviceID(hex: vector.joiner), member: try DeviceID(hex: vector.member))
            #expect(proof.bytes(.joiner).hexadecimal == vector.joinerProof)
            #expect(proof.bytes(.member).hexadecimal == vector.memberProof)
            let nonce = try #require([UInt8](hexadecimal: vector.joinerNonce))
            let memberNonce = try #require([UInt8](hexadecimal: vector.memberNonce))
            #expect(proof.commitment(to: nonce).hexadecimal == vector.commitment)
            #expect(proof.isValid(proof.commitment(to: nonce), to: nonce))
            #expect(!proof.isValid(proof.commitment(to: nonce), to: memberNonce))
            #expect(proof.number(joiner: nonce, member: memberNonce) == vector.number)
        }
    }

    struct CallVector: Decodable {
        var callerKey, calledKey, caller, called, secret, challenge, hello, proof, frame: String
    }

    // Shows X07
    @Test func callsAreAsTheVectorsSay() throws {
        for vector in try VectorFile.read("calls.json", as: [CallVector].self) {
            let caller = try DeviceKey(scalar: try #require([UInt8](hexadecimal: vector.callerKey)))
            let called = try DeviceKey(scalar: try #require([UInt8](hexadecimal: vector.calledKey)))
            #expect([caller.id.hex, called.id.hex] == [vector.caller, vector.called])
            let secret = try #require(caller.callSecrets(with: called.publicKey)).calling
            #expect(secret.hex == vector.secret)
            #expect(try #require(called.callSecrets(with: caller.publicKey)).calledBy == secret)
            let hello = try #require([UInt8](hexadecimal: vector.hello))
            let proof = CallProof(challenge: try #require([UInt8](hexadecimal: vector.challenge)), hello: hello)
            #expect(proof.bytes(secret).hexadecimal == vector.proof)
            let frame = try CallFrame(proofs: [proof.bytes(secret)], hello: hello)
            #expect(frame.encoded.hexadecimal == vector.frame)
            #expect(try CallFrame(frame.encoded) == frame)
        }
    }

    struct BeaconVector: Decodable {
        var name, key, datagram, device, boot: String
        var port: UInt16
        var timeMs: Int64
        var answer: Bool
    }

    // Shows X01: a nonce of 96 bits and a tag of 128.
    @Test func beaconsAreAsTheVectorsSay() throws {
        for vector in try VectorFile.read("beacons.json", as: [BeaconVector].self) {
            let key = try BeaconKey(bytes: try #require([UInt8](hexadecimal: vector.key)))
            let datagram = try #require([UInt8](hexadecimal: vector.datagram))
            let beacon = Beacon(
                device: try DeviceID(hex: vector.device), port: vector.port,
                boot: BootID(try #require(UInt64(vector.boot, radix: 16))), time: WallTime(milliseconds: vector.timeMs),
                isAnswer: vector.answer)
            #expect(try key.open(datagram) == beacon, "\(vector.name)")
        }
    }

    struct RosterVector: Decodable {
        struct Statement: Decodable {
            var name, signer, statement, signature, id: String
        }

        var recoveryKey, account, digest, accountDigest, beaconKey: String
        var statements: [Statement]
        /// Names by device id.
        var members: [String: String]
        /// By statement id.
        var secrets: [String: String]
    }

    @Test func rosterIsAsTheVectorsSay() throws {
        let vector = try VectorFile.read("roster.json", as: RosterVector.self)
        let account = try AccountID(hex: vector.account)
        let recovery = try RecoveryKey(text: vector.recoveryKey)
        #expect(recovery.text == vector.recoveryKey)
        #expect(recovery.account == account)
        var update = RosterUpdate()
        for row in vector.statements {
            let signed = SignedStatement(
                statement: try #require([UInt8](hexadecimal: row.statement)),
                signer: try #require([UInt8](hexadecimal: row.signer)),
                signature: try #require([UInt8](hexadecimal: row.signature)))
            #expect(try VerifiedStatement(signed, account: account).id.hex == row.id, "\(row.name)")
            update.statements.append(signed)
        }
        for (statement, secret) in vector.secrets {
            update.secrets.append(
                BeaconSecret(
                    statement: try StatementID(hex: statement), secret: try #require([UInt8](hexadecimal: secret))))
        }
        var record = AccountRecord(account: account)
        // In an order in which most are pending at first.
        for statement in update.statements.reversed() {
            #expect(record.merge(statement, secrets: update.secrets) == [])
        }
        #expect(
            Dictionary(uniqueKeysWithValues: record.roster.members.map { ($0.key.hex, $0.value.name.text) })
                == vector.members)
        #expect(record.roster.digest.hexadecimal == vector.digest)
        #expect(record.digest.hexadecimal == vector.accountDigest)
        #expect(record.beaconKey?.bytes.hexadecimal == vector.beaconKey)
    }
}

extension AccountRecord {
    fileprivate mutating func merge(_ statement: SignedStatement, secrets: [BeaconSecret]) -> [StatementRejection] {
        let update = RosterUpdate(statements: [statement], secrets: secrets)
        return merge(update, on: Devices.laptop.id, at: WallTime(milliseconds: 0)).rejections
    }
}
