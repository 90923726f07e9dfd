// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Begins a new epoch of the account with one device. Shown once and never stored; the roster contains the public half.
///
/// 136 random bits and 24 check bits, which detect mistakes such as swapped groups. As text, eight groups of five:
/// `MFZWI-BONSG-…`. The fifth character checks the other four, so that an error names the group.
package struct RecoveryKey: Sendable, CustomStringConvertible {
    package static let secretBytes = 17
    private static let checkBytes = 3
    private static let form = CheckedGroups.recoveryKey

    private let secret: [UInt8]
    package let signing: DeviceKey

    package init() { self.init(secret: .fresh(Self.secretBytes)) }

    /// As lenient as `InviteCode`.
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

    /// For tests and simulations.
    package init(secret: [UInt8]) {
        precondition(secret.count == Self.secretBytes, "a recovery key has \(Self.secretBytes) secret bytes")
        self.secret = secret
        signing = Self.signingKey(secret)
    }

    /// Only for display to the user, once.
    package var text: String { Self.form.text(secret + Self.check(secret)) }

    package var account: AccountID { AccountID(recoveryKey: signing.publicKey) }

    /// Hides the key.
    package var description: String { "recovery key" }

    private static func check(_ secret: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array("handoff-recovery-check/1".utf8) + [0] + secret).prefix(checkBytes))
    }

    /// The first attempt nearly always gives a scalar of P-256.
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
