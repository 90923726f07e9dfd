// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import HandoffWire

/// AES-256-GCM from the system's libcrypto. Authenticates the app's and the scene's names, so that one file cannot
/// replace another.
///
///     4 bytes "HSCN", 1 byte version, 12 bytes nonce, the encrypted record, 16 bytes tag
package struct SceneSeal {
    package static let keyBytes = Int(CHANDOFF_KEY_SIZE)
    private static let nonceBytes = Int(CHANDOFF_NONCE_SIZE)
    private static let tagBytes = Int(CHANDOFF_TAG_SIZE)
    static let version: UInt8 = 1
    private static let magic = Array("HSCN".utf8)

    private let key: [UInt8]
    private let owner: String

    package init(key: [UInt8], owner: String) {
        precondition(key.count == Self.keyBytes)
        self.key = key
        self.owner = owner
    }

    static func newKey() -> [UInt8] { random(keyBytes) }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func seal(_ record: SceneRecord) throws(SceneStateError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(WireError) {
            bytes = try record.encoded()
        } catch {
            throw SceneStateError(kind: .malformed(error.reason))
        }
        return try seal(bytes, of: record.identifier)
    }

    /// `bytes`: an encoded record.
    package func seal(_ bytes: [UInt8], of identifier: String) throws(SceneStateError) -> [UInt8] {
        let header = Self.magic + [Self.version]
        let signedOnly = signedOnly(header, identifier)
        let nonce = Self.random(Self.nonceBytes)
        var sealed = [UInt8](repeating: 0, count: bytes.count + Self.tagBytes)
        switch Int(chandoff_seal(key, nonce, signedOnly, signedOnly.count, bytes, bytes.count, &sealed)) {
        case CHANDOFF_SEAL_DONE: return header + nonce + sealed
        case CHANDOFF_SEAL_MISSING: throw SceneStateError(kind: .noCipher)
        default: throw SceneStateError(kind: .malformed("it cannot be encrypted"))
        }
    }

    package func open(_ file: [UInt8], of identifier: String) throws(SceneStateError) -> SceneRecord {
        let header = Array(file.prefix(Self.magic.count + 1))
        guard header.starts(with: Self.magic), let version = header.dropFirst(Self.magic.count).first else {
            throw SceneStateError(kind: .notAState)
        }
        if version < Self.version { throw SceneStateError(kind: .tooOld(version: version)) }
        if version > Self.version { throw SceneStateError(kind: .tooNew(version: version)) }
        let count = file.count - header.count - Self.nonceBytes - Self.tagBytes
        guard count >= 0 else { throw SceneStateError(kind: .notOurs) }
        let signedOnly = signedOnly(header, identifier)
        let nonce = Array(file[header.count...].prefix(Self.nonceBytes))
        let sealed = Array(file[(header.count + Self.nonceBytes)...])
        var bytes = [UInt8](repeating: 0, count: count)
        switch Int(chandoff_unseal(key, nonce, signedOnly, signedOnly.count, sealed, count, &bytes)) {
        case CHANDOFF_SEAL_DONE: break
        case CHANDOFF_SEAL_MISSING: throw SceneStateError(kind: .noCipher)
        default: throw SceneStateError(kind: .notOurs)
        }
        do throws(WireError) {
            return try SceneRecord(identifier: identifier, encoded: bytes)
        } catch {
            throw SceneStateError(kind: .malformed(error.reason))
        }
    }

    private func signedOnly(_ header: [UInt8], _ identifier: String) -> [UInt8] {
        header + owner.utf8 + [0] + identifier.utf8
    }
}
