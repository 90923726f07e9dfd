// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Crypto
package import HandoffWire
import SwiftASN1

/// Signs apps with the team's certificate, or with a developer's and the team's.
package struct TeamKey: Sendable, CustomStringConvertible {
    package let team: TeamCertificate
    /// The signer's first, DER.
    let certificates: [[UInt8]]
    private let key: P256.Signing.PrivateKey

    init(unchecked key: P256.Signing.PrivateKey, certificates: [[UInt8]], team: TeamCertificate) {
        self.key = key
        self.certificates = certificates
        self.team = team
    }

    init(key der: [UInt8], certificates: [[UInt8]]) throws(TeamKeyFile.Damage) {
        let key: P256.Signing.PrivateKey
        do { key = try P256.Signing.PrivateKey(derRepresentation: der) } catch { throw .notAKey }
        guard let first = certificates.first, let last = certificates.last, certificates.count <= 2 else {
            throw .blocks
        }
        do throws(TeamRejection) { team = try TeamCertificate(der: last) } catch { throw .certificate(error) }
        guard let own = OpenSSLCertificate(der: first) else { throw .certificate(.notACertificate) }
        guard own.p256Key == Array(key.publicKey.derRepresentation) else { throw .certificateOfAnotherKey }
        self.key = key
        self.certificates = certificates
    }

    package var id: TeamID { team.id }

    /// PKCS #8. Secret.
    var der: [UInt8] { Array(key.derRepresentation) }

    /// Hides the key.
    package var description: String { "key of team \(team.id)" }
}

/// PKCS #8 under a passphrase: PBES2 with scrypt and AES-256-CBC, readable by `openssl pkey`.
enum EncryptedKey {
    /// scrypt's N, r and p: 16 MiB, five times.
    private static let cost = (n: UInt64(16_384), r: UInt64(8), p: UInt64(5))
    private static let saltBytes: CInt = 16

    static func encrypt(_ key: [UInt8], passphrase: String) throws(OpenSSLError) -> [UInt8] {
        let info = decoding(key, { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }, free: { PKCS8_PRIV_KEY_INFO_free($0) })
        let plain = try info.orError()
        defer { PKCS8_PRIV_KEY_INFO_free(plain) }
        // libcrypto chooses salt and initialization vector.
        guard
            let scheme = PKCS5_pbe2_set_scrypt(
                EVP_aes_256_cbc(), nil, saltBytes, nil, cost.n, cost.r, cost.p)
        else { throw OpenSSLError() }
        guard
            let encrypted = passphrase.withCString({ PKCS8_set0_pbe($0, CInt(passphrase.utf8.count), plain, scheme) })
        else {
            X509_ALGOR_free(scheme)
            throw OpenSSLError()
        }
        defer { X509_SIG_free(encrypted) }
        return try encoding { i2d_X509_SIG(encrypted, $0) }
    }

    /// Nil also for a wrong passphrase.
    static func decrypt(_ bytes: [UInt8], passphrase: String) -> [UInt8]? {
        guard let encrypted = decoding(bytes, { d2i_X509_SIG(nil, $0, $1) }, free: { X509_SIG_free($0) }) else {
            return nil
        }
        defer {
            X509_SIG_free(encrypted)
            ERR_clear_error()
        }
        guard let plain = passphrase.withCString({ PKCS8_decrypt(encrypted, $0, CInt(passphrase.utf8.count)) }) else {
            return nil
        }
        defer { PKCS8_PRIV_KEY_INFO_free(plain) }
        return try? encoding { i2d_PKCS8_PRIV_KEY_INFO(plain, $0) }
    }
}
