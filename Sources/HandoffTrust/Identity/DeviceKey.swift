// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

package struct DeviceKey: Sendable, CustomStringConvertible {
    let key: P256.Signing.PrivateKey
    package let publicKey: DevicePublicKey

    package var id: DeviceID { publicKey.id }

    /// Random, from the system's generator.
    package init() { self.init(P256.Signing.PrivateKey()) }

    /// PKCS#8.
    package init(der: [UInt8]) throws(KeyRejection) {
        do { self.init(try P256.Signing.PrivateKey(derRepresentation: der)) } catch { throw .notAKey }
    }

    /// The scalar, 32 bytes, for tests and simulations with the same devices in every run.
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
