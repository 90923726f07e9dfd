// SPDX-License-Identifier: Apache-2.0

package import HandoffWire
internal import SwiftASN1

/// PEM: the private key (PKCS #8, perhaps encrypted), then perhaps a developer's certificate, then the team's.
package struct TeamKeyFile: Sendable {
    package static let bytes = 32 * 1024
    /// UTF-8.
    package static let passphraseBytes = 1024

    package enum Damage: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge
        case notPEM
        case blocks
        case notAKey
        case certificate(TeamRejection)
        case certificateOfAnotherKey
        case passphraseNeeded
        case wrongPassphrase

        package var description: String {
            switch self {
            case .tooLarge: "it is larger than \(TeamKeyFile.bytes) bytes"
            case .notPEM: "it is not a PEM text"
            case .blocks: "it is not a private key followed by a certificate or two"
            case .notAKey: "its private key is not a P-256 key in PKCS #8"
            case .certificate(let rejection): "its certificate cannot be used: \(rejection)"
            case .certificateOfAnotherKey: "its certificate is for another key"
            case .passphraseNeeded: "its private key is encrypted and needs a passphrase"
            case .wrongPassphrase: "the passphrase is wrong"
            }
        }
    }

    /// Needs no passphrase.
    package let team: TeamCertificate
    package let isEncrypted: Bool
    private let key: [UInt8]
    private let certificates: [[UInt8]]

    package init(bytes: [UInt8]) throws(Damage) {
        guard bytes.count <= Self.bytes else { throw .tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self),
            let blocks = try? PEMDocument.parseMultiple(pemString: text)
        else { throw .notPEM }
        guard let first = blocks.first, [Self.plainBlock, Self.encryptedBlock].contains(first.discriminator),
            (2...3).contains(blocks.count),
            blocks.dropFirst().allSatisfy({ $0.discriminator == TeamCertificate.pemBlock })
        else { throw .blocks }
        key = first.derBytes
        isEncrypted = first.discriminator == Self.encryptedBlock
        certificates = blocks.dropFirst().map(\.derBytes)
        do throws(TeamRejection) {
            team = try TeamCertificate(der: certificates[certificates.count - 1])
        } catch {
            throw .certificate(error)
        }
    }

    /// Takes a tenth of a second by design.
    package func unlock(passphrase: String? = nil) throws(Damage) -> TeamKey {
        guard isEncrypted else { return try TeamKey(key: key, certificates: certificates) }
        guard let passphrase else { throw .passphraseNeeded }
        guard let plain = EncryptedKey.decrypt(key, passphrase: passphrase) else { throw .wrongPassphrase }
        return try TeamKey(key: plain, certificates: certificates)
    }

    /// Nil: not encrypted.
    package static func bytes(of key: TeamKey, passphrase: String?) throws(Failure) -> [UInt8] {
        var blocks: [PEMDocument] = []
        if let passphrase {
            guard !passphrase.isEmpty else { throw Failure(.malformed, "a passphrase cannot be empty") }
            guard passphrase.utf8.count <= passphraseBytes else {
                throw Failure(.malformed, "a passphrase has at most \(passphraseBytes) bytes")
            }
            do throws(OpenSSLError) {
                blocks.append(
                    PEMDocument(
                        type: encryptedBlock, derBytes: try EncryptedKey.encrypt(key.der, passphrase: passphrase)))
            } catch {
                throw Failure(.internal, "the key cannot be encrypted: \(error.reason)")
            }
        } else {
            blocks.append(PEMDocument(type: plainBlock, derBytes: key.der))
        }
        blocks += key.certificates.map { PEMDocument(type: TeamCertificate.pemBlock, derBytes: $0) }
        return Array((blocks.map(\.pemString).joined(separator: "\n") + "\n").utf8)
    }

    private static let plainBlock = "PRIVATE KEY"
    private static let encryptedBlock = "ENCRYPTED PRIVATE KEY"
}
