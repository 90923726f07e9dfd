// SPDX-License-Identifier: Apache-2.0

import Crypto
import HandoffWire
import SwiftASN1
import Testing
import X509

@testable import HandoffTrust

@Suite struct DeviceKeyTests {
    let laptop = DeviceKey()

    @Test func deviceIDIsTheHashOfTheKey() {
        #expect(laptop.id.bytes == Array(SHA256.hash(data: laptop.publicKey.spki)))
    }

    @Test func keyRoundTrips() throws {
        #expect(try DeviceKey(der: laptop.der).publicKey == laptop.publicKey)
        #expect(try DevicePublicKey(spki: laptop.publicKey.spki) == laptop.publicKey)
    }

    @Test func certificateCarriesTheKeyAndNothingOfTheDevice() throws {
        let certificate = DeviceCertificate(selfSignedBy: laptop)
        #expect(try DevicePublicKey(certificate: certificate.der).id == laptop.id)
        let parsed = try Certificate(derEncoded: certificate.der)
        #expect(parsed.publicKey.isValidSignature(parsed.signature, for: parsed))
        #expect(parsed.subject.description == "CN=handoff")
    }

    @Test func keyOfAnotherCurveIsNotADevice() {
        let elsewhere = P384.Signing.PrivateKey().publicKey.derRepresentation
        #expect(throws: KeyRejection.notP256) { try DevicePublicKey(spki: Array(elsewhere)) }
    }

    /// A second encoding of a key would give its device a second id.
    @Test func compressedPointIsRefused() {
        let spki = laptop.publicKey.spki
        let header: [UInt8] = [
            0x30, 0x39, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x22, 0x00,
        ]
        let compressed = header + [2 + spki.last! % 2] + spki[27..<59]
        #expect(throws: KeyRejection.self) { try DevicePublicKey(spki: compressed) }
    }

    @Test func bytesCutAtAnyLengthAreRefused() {
        let spki = laptop.publicKey.spki
        let certificate = DeviceCertificate(selfSignedBy: laptop).der
        for length in 0..<spki.count {
            #expect(throws: KeyRejection.notAKey) { try DevicePublicKey(spki: Array(spki.prefix(length))) }
        }
        #expect(throws: KeyRejection.notAKey) { try DevicePublicKey(spki: spki + [0]) }
        for length in 0..<certificate.count {
            #expect(throws: KeyRejection.notACertificate) {
                try DevicePublicKey(certificate: Array(certificate.prefix(length)))
            }
        }
    }

    @Test func descriptionKeepsTheSecret() {
        #expect("\(laptop)" == "key of \(laptop.id.short)")
    }
}

@Suite struct CredentialsFileTests {
    let file = CredentialsFile(key: DeviceKey())

    @Test func comesBackFromItsBytes() throws {
        let again = try CredentialsFile(bytes: file.bytes)
        #expect(again.key.id == file.key.id)
        #expect(again.certificate == file.certificate)
    }

    @Test func cutAtAnyLengthIsDamaged() {
        // The last byte is a line feed, which PEM does not require.
        for length in 0..<file.bytes.count - 1 {
            let cut = Array(file.bytes.prefix(length))
            #expect(throws: CredentialsFile.Damage.self) { try CredentialsFile(bytes: cut) }
        }
    }

    @Test func certificateOfAnotherKeyIsDamage() throws {
        let other = CredentialsFile(key: DeviceKey())
        let text = String(decoding: file.bytes, as: UTF8.self)
        let otherText = String(decoding: other.bytes, as: UTF8.self)
        let cut = "-----BEGIN CERTIFICATE"
        let mixed = text.split(separator: cut)[0] + cut + otherText.split(separator: cut)[1]
        #expect(throws: CredentialsFile.Damage.certificateOfAnotherKey) {
            try CredentialsFile(bytes: Array(mixed.utf8))
        }
    }
}
