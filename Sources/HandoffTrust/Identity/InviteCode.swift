// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// The one-time code of an invite: 120 random bits, which the two devices share by way of their user's eyes and fingers.
///
/// As text, four groups of seven: `MFZWI3D-BONSGYC-…`. The seventh character of a group checks the six before it, so a
/// mistyped code is told apart from a wrong one, without a word to the other device and without losing a try.
package struct InviteCode: Hashable, Sendable, CustomStringConvertible {
    private static let byteCount = 15
    private static let groups = 4
    private static let groupCharacters = 7

    private let bytes: [UInt8]

    /// A fresh one, from the system's generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Forgives case, dashes, blanks, and 0, 1, 8 typed for O, I, B. The error names the group, never the code.
    package init(text: String) throws(WireError) {
        let typed = Base32.normalized(text)
        guard typed.count == Self.groups * Self.groupCharacters else {
            throw WireError(
                .badIdentifier,
                "an invite code has \(Self.groups * Self.groupCharacters) letters and digits, this has \(typed.count)")
        }
        var plain: [UInt8] = []
        for group in 0..<Self.groups {
            let characters = Array(typed[group * Self.groupCharacters..<(group + 1) * Self.groupCharacters])
            let data = Array(characters.dropLast())
            guard Base32.decode(data + Self.zeroes) != nil, Base32.checkCharacter(of: data) == characters.last else {
                throw WireError(.badIdentifier, "the code is mistyped in group \(group + 1) of \(Self.groups)")
            }
            plain += data
        }
        guard let bytes = Base32.decode(plain), bytes.count == Self.byteCount else {
            throw WireError(.badIdentifier, "not an invite code")
        }
        self.bytes = bytes
    }

    /// For the user's eyes only.
    package var text: String {
        let plain = Base32.encode(bytes)
        let width = Self.groupCharacters - 1
        let groups = stride(from: 0, to: plain.count, by: width).map { start in
            let group = Array(plain[start..<start + width])
            return String(decoding: group + [Base32.checkCharacter(of: group)], as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    /// A secret: never the characters.
    package var description: String { "invite code" }

    /// Under which a joining device and its inviter find each other.
    package var beaconKey: BeaconKey { BeaconKey(derive(for: "beacon")) }

    func derive(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: Array("handoff-invite/1".utf8),
            info: Array(purpose.utf8), outputByteCount: 32)
    }

    /// Two, to fill six characters up to a whole number of bytes.
    private static let zeroes = Array("AA".utf8)
}
