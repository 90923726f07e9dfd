// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire

/// 120 random bits, which the user transfers between two devices.
///
/// As text, four groups of seven: `MFZWI3D-BONSGYC-…`. The seventh character checks the other six, so typing mistakes
/// are detected locally and cost no attempt.
package struct InviteCode: Hashable, Sendable, CustomStringConvertible {
    private static let byteCount = 15
    private static let form = CheckedGroups(groups: 4, width: 7)

    private let bytes: [UInt8]

    /// Random, from the system's generator.
    package init() { bytes = .fresh(Self.byteCount) }

    /// Ignores case, dashes and blanks, and accepts 0, 1, 8 for O, I, B. The error names the group.
    package init(text: String) throws(WireError) {
        bytes = try Self.form.parse(text, noun: "code")
    }

    /// For display to the user.
    package var text: String { Self.form.text(bytes) }

    /// Hides the code.
    package var description: String { "invite code" }

    /// The joining device and the inviter find each other by these beacons.
    package var beaconKey: BeaconKey { BeaconKey(derive(for: "beacon")) }

    func derive(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: Array("handoff-invite/1".utf8),
            info: Array(purpose.utf8), outputByteCount: 32)
    }
}
