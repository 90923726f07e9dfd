// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// What an account hangs on: whoever holds it can begin a new epoch of the account with one device. It is shown once, when
/// the account is made, and stored nowhere; the roster holds its public half alone.
///
/// 136 random bits and 24 bits that check them. As text, eight groups of five: `MFZWI-BONSG-…`. The fifth character of a
/// group checks the four before it, so that a slip is named by its group; the 24 bits notice what those let through, such
/// as two groups in the wrong order. So a mistyped key is told apart from a wrong one without asking anybody.
package struct RecoveryKey: Sendable, CustomStringConvertible {
    package static let secretBytes = 17
    private static let checkBytes = 3
    private static let form = CheckedGroups(groups: 8, width: 5)

    private let secret: [UInt8]
    /// Signs what only the holder may say.
    package let signing: DeviceKey

    /// A fresh one, from the system's generator.
    package init() { self.init(secret: .fresh(Self.secretBytes)) }

    /// Forgives case, dashes, blanks, and 0, 1, 8 typed for O, I, B. The error names the group, never the key.
    package init(text: String) throws(WireError) {
        let bytes = try Self.form.parse(text, noun: "recovery key")
        let secret = Array(bytes.prefix(Self.secretBytes))
        guard bytes.count == Self.secretBytes + Self.checkBytes, Self.check(secret) == bytes.suffix(Self.checkBytes)
        else {
            throw WireError(
                .badIdentifier, "the recovery key is mistyped: each group could be right, but not all of them together")
        }
        self.init(secret: secret)
    }

    /// `secret` has `secretBytes`: for tests and towns whose accounts are the same in every run.
    package init(secret: [UInt8]) {
        precondition(secret.count == Self.secretBytes, "a recovery key has \(Self.secretBytes) secret bytes")
        self.secret = secret
        signing = Self.signingKey(secret)
    }

    /// For the user's eyes only, once.
    package var text: String { Self.form.text(secret + Self.check(secret)) }

    /// The account that it made.
    package var account: AccountID { AccountID(recoveryKey: signing.publicKey) }

    /// A secret: never the characters.
    package var description: String { "recovery key" }

    private static func check(_ secret: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array("handoff-recovery-check/1".utf8) + [0] + secret).prefix(checkBytes))
    }

    /// The first 32 derived bytes that are the scalar of a P-256 key; nearly always the first at all.
    private static func signingKey(_ secret: [UInt8]) -> DeviceKey {
        for attempt in UInt8.min ... .max {
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: Array("handoff-recovery/1".utf8),
                info: [attempt], outputByteCount: 32)
            if let key = try? DeviceKey(scalar: derived.withUnsafeBytes { Array($0) }) { return key }
        }
        preconditionFailure("256 derived scalars in a row are none of P-256")
    }
}

extension AccountID {
    package init(recoveryKey: DevicePublicKey) {
        let label = Array("handoff-account/1".utf8) + [0]
        self.init(uncheckedBytes: Array(SHA256.hash(data: label + recoveryKey.spki)))
    }
}
