// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// That one side of a connection knows an invite's code. The proof is over the keys that both sides showed in the TLS
/// handshake, so it is worth nothing on any other connection: whoever sits in the middle has other keys. Each side has a
/// label of its own, so neither can send the other's proof back.
package struct InviteProof: Sendable {
    /// Who proves.
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

    /// 32 bytes: HMAC-SHA256 over the role's label, a zero byte, the joiner's and the member's device id.
    package func bytes(_ role: Role) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: transcript(role), using: key))
    }

    /// Takes as long for a nearly right proof as for any other.
    package func isValid(_ proof: [UInt8], from role: Role) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: transcript(role), using: key)
    }

    // MARK: The number that two people compare

    /// 32 bytes. Said before the member's nonce is known, so nobody can choose a nonce for the number it makes.
    package func commitment(to nonce: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("commitment".utf8) + [0] + keys + nonce, using: key))
    }

    package func isValid(_ commitment: [UInt8], to nonce: [UInt8]) -> Bool {
        nonce.count == Self.nonceBytes && self.commitment(to: nonce) == commitment
    }

    /// Six digits, of both devices' keys: alike on both, unless somebody sits in between, who also has the code. That one
    /// has one chance in a million, once for each time that somebody is asked.
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
