// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

package enum BeaconRejection: String, Error, Hashable, Sendable {
    case size
    case version
    /// Forged, damaged, or of another key.
    case seal
    /// Sealed with our key, but not a beacon.
    case content
}

/// Seals beacons with ChaCha20-Poly1305, a random nonce, and the version as associated data.
///
///     version, 1 | nonce, 12 | ciphertext, 128 | tag, 16
///
/// Plaintext: the beacon's length in one byte, the beacon, and zeroes, which hide the size.
package struct BeaconKey: Sendable, CustomStringConvertible {
    package static let byteCount = 32
    static let datagramBytes = headerBytes + plaintextBytes + tagBytes

    private static let headerBytes = 1 + nonceBytes
    private static let nonceBytes = 12
    private static let plaintextBytes = 128
    private static let tagBytes = 16

    private let key: SymmetricKey

    package init() { key = SymmetricKey(size: .bits256) }

    package init(bytes: [UInt8]) throws(WireError) {
        guard bytes.count == Self.byteCount else { throw WireError(.malformed, "a beacon key has 32 bytes") }
        key = SymmetricKey(data: bytes)
    }

    init(_ key: SymmetricKey) { self.key = key }

    /// Secret.
    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    package var description: String { "beacon key" }

    package func seal(_ beacon: Beacon) throws(WireError) -> [UInt8] {
        let message = try beacon.encoded()
        guard message.count < Self.plaintextBytes else {
            throw WireError(.tooLarge, "a beacon of \(message.count) bytes")
        }
        var plaintext = [UInt8(message.count)] + message
        plaintext += [UInt8](repeating: 0, count: Self.plaintextBytes - plaintext.count)
        do {
            let box = try ChaChaPoly.seal(plaintext, using: key, authenticating: Self.associatedData)
            return Self.associatedData + Array(box.combined)
        } catch {
            preconditionFailure("a few bytes are always sealed: \(error)")
        }
    }

    package func open(_ datagram: [UInt8]) throws(BeaconRejection) -> Beacon {
        guard let version = datagram.first else { throw .size }
        guard version == ProtocolVersion.beacon else { throw .version }
        guard datagram.count == Self.datagramBytes else { throw .size }
        guard let box = try? ChaChaPoly.SealedBox(combined: datagram.dropFirst()),
            let plaintext = try? ChaChaPoly.open(box, using: key, authenticating: Self.associatedData)
        else { throw .seal }
        let length = Int(plaintext.first ?? 0)
        guard length < plaintext.count else { throw .content }
        do {
            return try Beacon(encoded: Array(plaintext.dropFirst().prefix(length)))
        } catch {
            throw .content
        }
    }

    package static func nonce(of datagram: [UInt8]) -> BeaconNonce {
        BeaconNonce(bytes: Array(datagram.dropFirst().prefix(nonceBytes)))
    }

    private static let associatedData = [ProtocolVersion.beacon]
}

package struct BeaconNonce: Hashable, Sendable {
    let bytes: [UInt8]
}
