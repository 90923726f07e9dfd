// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire
internal import SwiftASN1
internal import X509

/// Why bytes are not the key of a device.
package enum KeyRejection: String, Error, Hashable, Sendable {
    case notACertificate
    case notAKey
    /// Another curve, or no curve at all. Devices have P-256 keys.
    case notP256
    /// The right key, written in a way that would give it a second device id.
    case notCanonical
}

/// The key that a device is known by: P-256, as SubjectPublicKeyInfo in DER. Made only by parsing, so there is no value
/// of this type that is not a point on the curve in its one accepted encoding.
package struct DevicePublicKey: Hashable, Sendable {
    package let spki: [UInt8]
    /// The SHA-256 of `spki`.
    package let id: DeviceID
    private let key: P256.Signing.PublicKey

    /// Throws `.notP256` for any other kind of key, `.notAKey` for other bytes.
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

    /// The key in a certificate that a TLS peer presented. Nothing else in the certificate counts: not its names, not
    /// its dates, not its signature. That the peer holds the key is what the handshake proves.
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
