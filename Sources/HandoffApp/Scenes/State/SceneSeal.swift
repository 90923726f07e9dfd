// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Foundation
internal import HandoffWire

/// Encrypts what is kept of scenes: AES-256-GCM, with what the state is for in the part that is signed only, so that no file
/// passes for another.
///
///     4 bytes "HSCN", 1 byte version, 12 bytes nonce, the encrypted record, 16 bytes tag
package struct SceneSeal {
    package static let keyBytes = 32
    static let version: UInt8 = 1
    private static let magic = Array("HSCN".utf8)

    private let key: SymmetricKey
    /// Whose scenes they are.
    private let owner: String

    /// `key` has `keyBytes` bytes.
    package init(key: [UInt8], owner: String) {
        self.key = SymmetricKey(data: key)
        self.owner = owner
    }

    static func newKey() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    package func seal(_ record: SceneRecord) throws(SceneStateError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(WireError) {
            bytes = try record.encoded()
        } catch {
            throw SceneStateError(kind: .malformed(error.reason))
        }
        return try seal(bytes, of: record.identifier)
    }

    /// Of an encoded record.
    package func seal(_ bytes: [UInt8], of identifier: String) throws(SceneStateError) -> [UInt8] {
        let header = Self.magic + [Self.version]
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: signedOnly(header, identifier))
            return header + Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw SceneStateError(kind: .malformed("it cannot be encrypted"))
        }
    }

    package func open(_ file: [UInt8], of identifier: String) throws(SceneStateError) -> SceneRecord {
        let header = Array(file.prefix(Self.magic.count + 1))
        guard header.starts(with: Self.magic), let version = header.dropFirst(Self.magic.count).first else {
            throw SceneStateError(kind: .notAState)
        }
        if version < Self.version { throw SceneStateError(kind: .tooOld(version: version)) }
        if version > Self.version { throw SceneStateError(kind: .tooNew(version: version)) }
        let bytes: Data
        do {
            let box = try AES.GCM.SealedBox(combined: file.dropFirst(header.count))
            bytes = try AES.GCM.open(box, using: key, authenticating: signedOnly(header, identifier))
        } catch {
            throw SceneStateError(kind: .notOurs)
        }
        do throws(WireError) {
            return try SceneRecord(identifier: identifier, encoded: Array(bytes))
        } catch {
            throw SceneStateError(kind: .malformed(error.reason))
        }
    }

    private func signedOnly(_ header: [UInt8], _ identifier: String) -> [UInt8] {
        header + owner.utf8 + [0] + identifier.utf8
    }
}
