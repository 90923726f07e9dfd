// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// Proves before TLS that a caller shares a secret with the called device. Covers that device's challenge and the
/// caller's first TLS flight: it cannot be reused, and forwarding it gains nothing, because only the caller can read
/// the answer.
package struct CallProof: Sendable {
    package static let challengeBytes = 32

    private let transcript: [UInt8]

    package init(challenge: [UInt8], hello: [UInt8]) {
        transcript = Array("handoff-call/1".utf8) + [0] + challenge + Array(SHA256.hash(data: hello))
    }

    package static func freshChallenge() -> [UInt8] { .fresh(challengeBytes) }

    package func bytes(_ secret: CallSecret) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: transcript, using: SymmetricKey(data: secret.bytes))
        return Array(code.prefix(CallFrame.proofBytes))
    }
}

extension DeviceKey {
    /// Takes a tenth of a millisecond. Never nil for keys of this curve.
    package func callSecrets(with other: DevicePublicKey) -> (calling: CallSecret, calledBy: CallSecret)? {
        guard let own = try? P256.KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation),
            let theirs = try? P256.KeyAgreement.PublicKey(derRepresentation: other.spki),
            let shared = try? own.sharedSecretFromKeyAgreement(with: theirs)
        else { return nil }
        return (CallSecret(shared, from: id, to: other.id), CallSecret(shared, from: other.id, to: id))
    }
}

extension CallSecret {
    fileprivate init(_ shared: SharedSecret, from caller: DeviceID, to called: DeviceID) {
        let derived = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: Array("handoff-call/1".utf8), sharedInfo: caller.bytes + called.bytes,
            outputByteCount: Self.byteCount)
        self.init(uncheckedBytes: derived.withUnsafeBytes(Array.init))
    }
}

extension InviteCode {
    /// For calls to the device that made the invite.
    package var callSecret: CallSecret {
        CallSecret(uncheckedBytes: derive(for: "call").withUnsafeBytes(Array.init))
    }
}
