// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// The one-time code of an invite: 120 random bits, which the two devices share by way of their user's eyes and fingers.
///
/// As text, four groups of seven: `MFZWI3D-BONSGYC-…`. The seventh character of a group checks the six before it, so a
/// mistyped code is told apart from a wrong one, without a word to the other device and without losing a try.
package struct InviteCode: Hashable, Sendable, CustomStringConvertible {
    private static let byteCount = 15
    private static let form = CheckedGroups(groups: 4, width: 7)

    private let bytes: [UInt8]

    /// A fresh one, from the system's generator.
    package init() { bytes = .fresh(Self.byteCount) }

    /// Forgives case, dashes, blanks, and 0, 1, 8 typed for O, I, B. The error names the group, never the code.
    package init(text: String) throws(WireError) {
        bytes = try Self.form.parse(text, noun: "code")
    }

    /// For the user's eyes only.
    package var text: String { Self.form.text(bytes) }

    /// A secret: never the characters.
    package var description: String { "invite code" }

    /// Under which a joining device and its inviter find each other.
    package var beaconKey: BeaconKey { BeaconKey(derive(for: "beacon")) }

    func derive(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: Array("handoff-invite/1".utf8),
            info: Array(purpose.utf8), outputByteCount: 32)
    }
}
