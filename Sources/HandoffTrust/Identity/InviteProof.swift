// SPDX-License-Identifier: Apache-2.0

import Crypto
package import HandoffWire

/// Proves that a side knows the code. Covers both keys of the TLS handshake, so a man in the middle cannot use it. Each
/// side has a label, so neither can return the other's proof.
package struct InviteProof: Sendable {
    package enum Role: String, Sendable, CaseIterable {
        case joiner
        case member
    }

    private let key: SymmetricKey
    private let keys: [UInt8]

    package init(code: InviteCode, joiner: DeviceID, member: DeviceID) {
        key = code.derive(for: "proof")
        keys = joiner.bytes + member.bytes
    }

    /// 32 bytes.
    package func bytes(_ role: Role) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: transcript(role), using: key))
    }

    /// In constant time.
    package func isValid(_ proof: [UInt8], from role: Role) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: transcript(role), using: key)
    }

    // MARK: The number that two people compare

    /// 32 bytes. Sent before the member's nonce is known, so that the joiner cannot choose the number.
    package func commitment(to nonce: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("commitment".utf8) + [0] + keys + nonce, using: key))
    }

    package func isValid(_ commitment: [UInt8], to nonce: [UInt8]) -> Bool {
        nonce.count == Self.nonceBytes && self.commitment(to: nonce) == commitment
    }

    /// Six digits, equal on both devices. A man in the middle with the code has one chance in a million each time the
    /// user is asked.
    package func number(joiner: [UInt8], member: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("number".utf8) + [0] + keys + joiner + member, using: key)
        let digits = String(code.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    package static func freshNonce() -> [UInt8] { .fresh(nonceBytes) }

    private static let nonceBytes = 32

    private func transcript(_ role: Role) -> [UInt8] { Array(role.rawValue.utf8) + [0] + keys }
}

/// 120 random bits. As text, four groups of seven: `MFZWI3D-BONSGYC-…`. The seventh checks the other six, so typing
/// mistakes cost no attempt.
package struct InviteCode: Hashable, Sendable, CustomStringConvertible {
    private static let form = CheckedGroups.inviteCode

    /// Secret, unless the invite is announced.
    package let bytes: [UInt8]

    package init() { bytes = .fresh(Limits.inviteCodeBytes) }

    /// From an announcement.
    package init(bytes: [UInt8]) throws(WireError) {
        guard bytes.count == Limits.inviteCodeBytes else { throw WireError(.malformed, "a code has 15 bytes") }
        self.bytes = bytes
    }

    /// Ignores case, dashes and blanks, and accepts 0, 1, 8 for O, I, B.
    package init(text: String) throws(WireError) {
        bytes = try Self.form.parse(text, noun: "code")
    }

    package var text: String { Self.form.text(bytes) }

    /// Hides the code.
    package var description: String { "invite code" }

    package var beaconKey: BeaconKey { BeaconKey(derive(for: "beacon")) }

    func derive(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: Array("handoff-invite/1".utf8),
            info: Array(purpose.utf8), outputByteCount: 32)
    }
}
