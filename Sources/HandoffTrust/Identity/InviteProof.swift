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

    private func transcript(_ role: Role) -> [UInt8] { Array(role.rawValue.utf8) + [0] + keys }
}
