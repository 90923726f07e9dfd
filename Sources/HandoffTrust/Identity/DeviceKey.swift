// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// The private key of this device. Whoever holds it is this device.
package struct DeviceKey: Sendable, CustomStringConvertible {
    let key: P256.Signing.PrivateKey
    package let publicKey: DevicePublicKey

    package var id: DeviceID { publicKey.id }

    /// A fresh key, from the system's generator.
    package init() { self.init(P256.Signing.PrivateKey()) }

    /// PKCS#8.
    package init(der: [UInt8]) throws(KeyRejection) {
        do { self.init(try P256.Signing.PrivateKey(derRepresentation: der)) } catch { throw .notAKey }
    }

    /// The bare scalar, 32 bytes: for tests and towns whose devices are the same in every run.
    package init(scalar: [UInt8]) throws(KeyRejection) {
        do { self.init(try P256.Signing.PrivateKey(rawRepresentation: scalar)) } catch { throw .notAKey }
    }

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = DevicePublicKey(key.publicKey)
    }

    /// PKCS#8, what TLS libraries load. A secret.
    package var der: [UInt8] { Array(key.derRepresentation) }

    /// ECDSA with SHA-256, in DER.
    func signature(over bytes: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes).derRepresentation)
        } catch {
            preconditionFailure("a P-256 key signs any bytes: \(error)")
        }
    }

    /// Never the key.
    package var description: String { "key of \(id.short)" }
}
