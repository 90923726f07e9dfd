// SPDX-License-Identifier: Apache-2.0

import Crypto
package import HandoffWire
import SwiftASN1
import X509

package struct DeviceKey: Sendable, CustomStringConvertible {
    let key: P256.Signing.PrivateKey
    package let publicKey: DevicePublicKey

    package var id: DeviceID { publicKey.id }

    package init() { self.init(P256.Signing.PrivateKey()) }

    /// PKCS#8.
    package init(der: [UInt8]) throws(KeyRejection) {
        do { self.init(try P256.Signing.PrivateKey(derRepresentation: der)) } catch { throw .notAKey }
    }

    /// 32 bytes, for tests and simulations.
    package init(scalar: [UInt8]) throws(KeyRejection) {
        do { self.init(try P256.Signing.PrivateKey(rawRepresentation: scalar)) } catch { throw .notAKey }
    }

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = DevicePublicKey(key.publicKey)
    }

    /// PKCS#8. Secret.
    package var der: [UInt8] { Array(key.derRepresentation) }

    /// ECDSA with SHA-256, in DER.
    func signature(over bytes: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes).derRepresentation)
        } catch {
            preconditionFailure("a P-256 key signs any bytes: \(error)")
        }
    }

    /// Hides the key.
    package var description: String { "key of \(id.short)" }
}

package enum KeyRejection: String, Error, Hashable, Sendable {
    case notACertificate
    case notAKey
    case notP256
    /// Would give the key a second device id.
    case notCanonical
}

/// P-256: SubjectPublicKeyInfo in DER, in the only accepted encoding.
package struct DevicePublicKey: Hashable, Sendable {
    package let spki: [UInt8]
    package let id: DeviceID
    private let key: P256.Signing.PublicKey

    package init(spki: [UInt8]) throws(KeyRejection) {
        let key: P256.Signing.PublicKey
        do {
            key = try P256.Signing.PublicKey(derRepresentation: spki)
        } catch {
            throw (try? Certificate.PublicKey(derEncoded: spki)) == nil ? .notAKey : .notP256
        }
        self.init(key)
        guard self.spki == spki else { throw .notCanonical }
    }

    /// Only the key matters; the TLS handshake proves that the peer has it.
    package init(certificate der: [UInt8]) throws(KeyRejection) {
        guard let certificate = try? Certificate(derEncoded: der) else { throw .notACertificate }
        guard let key = P256.Signing.PublicKey(certificate.publicKey) else { throw .notP256 }
        self.init(key)
    }

    init(_ key: P256.Signing.PublicKey) {
        self.key = key
        spki = Array(key.derRepresentation)
        id = DeviceID(uncheckedBytes: Array(SHA256.hash(data: spki)))
    }

    func isValid(signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }

    package static func == (left: Self, right: Self) -> Bool { left.spki == right.spki }
    package func hash(into hasher: inout Hasher) { hasher.combine(spki) }
}
