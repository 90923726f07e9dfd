// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HandoffWire
import SwiftASN1
import Testing
import X509

@testable import HandoffTrust

// Shows T06.
@Suite struct TeamKeyTests {
    @Test func certificateNamesTheTeamAsAppleWritesIt() throws {
        let certificate = try Certificate(derEncoded: Teams.notes.team.der)
        let subject = certificate.subject.flatMap { Array($0) }.map { ($0.type, "\($0.value)") }
        #expect(subject.contains { $0.0 == .RDNAttributeType.organizationalUnitName && $0.1 == "NOTES12345" })
        #expect(subject.contains { $0.0 == .RDNAttributeType.commonName && $0.1 == "Notes Makers" })
        #expect(certificate.issuer == certificate.subject)
        #expect(P256.Signing.PublicKey(certificate.publicKey) != nil)
        #expect(certificate.signatureAlgorithm == .ecdsaWithSHA256)
    }

    @Test func fingerprintIsTheHashOfThePublicKey() throws {
        let certificate = try Certificate(derEncoded: Teams.notes.team.der)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate.publicKey)
        #expect(Teams.notes.team.fingerprint.bytes == Array(SHA256.hash(data: serializer.serializedBytes)))
        #expect(Teams.notes.team.fingerprint != Teams.impostor.team.fingerprint)
    }

    @Test func certificateIsGoodForTwentyYears() {
        let team = Teams.notes.team
        #expect(team.validFrom < Teams.now)
        #expect(Teams.now.duration(to: team.validUntil) == TeamKey.validity)
    }

    @Test func certificateGoesThroughPEMAndBack() throws {
        let team = Teams.notes.team
        #expect(try TeamCertificate(pem: Array(team.pem.utf8)) == team)
        #expect(throws: TeamRejection.tooLarge) { try TeamCertificate(pem: Array(repeating: 10, count: 8193)) }
        #expect(throws: TeamRejection.notACertificate) { try TeamCertificate(pem: Array("not PEM".utf8)) }
        #expect(throws: TeamRejection.notACertificate) { try TeamCertificate(der: team.der + [0]) }
        #expect(throws: TeamRejection.notACertificate) { try TeamCertificate(der: Array(team.der.dropLast())) }
    }

    @Test func randomTeamIDsAreTeamIDs() throws {
        let ids = Set((0..<100).map { _ in TeamID.fresh() })
        #expect(ids.count == 100)
        for id in ids { #expect(try TeamID(id.name) == id) }
    }

    @Test func keyFileWithoutPassphrase() throws {
        let bytes = try TeamKeyFile.bytes(of: Teams.notes, passphrase: nil)
        let file = try TeamKeyFile(bytes: bytes)
        #expect(!file.isEncrypted)
        #expect(file.team == Teams.notes.team)
        #expect(try file.unlock().team == Teams.notes.team)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test func keyFileWithPassphrase() throws {
        let bytes = try TeamKeyFile.bytes(of: Teams.notes, passphrase: "correct horse")
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        let file = try TeamKeyFile(bytes: bytes)
        #expect(file.isEncrypted)
        #expect(file.team == Teams.notes.team)
        #expect(throws: TeamKeyFile.Damage.passphraseNeeded) { try file.unlock() }
        #expect(throws: TeamKeyFile.Damage.wrongPassphrase) { try file.unlock(passphrase: "correct house") }
        let key = try file.unlock(passphrase: "correct horse")
        #expect(try BundleSignature.of(.sample(), by: key).team == Teams.notes.team)
        let again = try TeamKeyFile.bytes(of: Teams.notes, passphrase: "correct horse")
        #expect(again != bytes, "salt and initialization vector are fresh")
    }

    @Test func passphrasesHaveLimits() {
        for passphrase in ["", String(repeating: "a", count: TeamKeyFile.passphraseBytes + 1)] {
            #expect(throws: Failure(.malformed, "")) {
                try TeamKeyFile.bytes(of: Teams.notes, passphrase: passphrase)
            }
        }
    }

    @Test func damagedKeyFilesSayWhy() throws {
        func damage(_ text: String) -> TeamKeyFile.Damage? {
            do throws(TeamKeyFile.Damage) {
                _ = try TeamKeyFile(bytes: Array(text.utf8)).unlock()
                return nil
            } catch {
                return error
            }
        }
        let whole = String(decoding: try TeamKeyFile.bytes(of: Teams.notes, passphrase: nil), as: UTF8.self)
        let other = String(decoding: try TeamKeyFile.bytes(of: Teams.impostor, passphrase: nil), as: UTF8.self)
        let end = "-----END PRIVATE KEY-----\n"
        let key = String(whole.prefix(upTo: try #require(whole.range(of: end)).upperBound))
        let certificate = String(other.suffix(from: try #require(other.range(of: end)).upperBound))
        #expect(damage(whole) == nil)
        #expect(damage("nothing") == .notPEM || damage("nothing") == .blocks)
        #expect(damage(key) == .blocks)
        #expect(damage(whole + certificate + certificate) == .blocks)
        #expect(damage(key + certificate) == .certificateOfAnotherKey)
        #expect(damage(String(repeating: "\n", count: TeamKeyFile.bytes + 1)) == .tooLarge)
    }

    @Test func keyNeverPrintsItself() {
        #expect("\(Teams.notes)" == "key of team NOTES12345")
    }
}
