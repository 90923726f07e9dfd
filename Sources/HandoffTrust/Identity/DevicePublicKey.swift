// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire
internal import SwiftASN1
internal import X509

package enum KeyRejection: String, Error, Hashable, Sendable {
    case notACertificate
    case notAKey
    case notP256
    /// An encoding that would give the key a second device id.
    case notCanonical
}

/// P-256, as SubjectPublicKeyInfo in DER. Always parsed: a point on the curve in the only accepted encoding.
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

    /// From a TLS peer's certificate. Only the key matters; the handshake proves that the peer has it.
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

    /// `signature` is ECDSA with SHA-256 in DER.
    func isValid(signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }

    package static func == (left: Self, right: Self) -> Bool { left.spki == right.spki }
    package func hash(into hasher: inout Hasher) { hasher.combine(spki) }
}
