// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the owner of a key is to this device.
package enum Admission: Hashable, Sendable, CaseIterable {
    case member
    /// It was removed from the account, and may not know it: it is told so, and nothing else.
    case former
    case stranger

    /// Whether it may dial us for that. For joining come those with an invite's code, whoever they are.
    package func mayDial(for purpose: ConnectionPurpose) -> Bool {
        switch (self, purpose) {
        case (.member, .session), (.member, .stream), (.former, .session): true
        case (.former, .stream), (.stranger, _), (_, .enroll): false
        }
    }

    /// Whether it is one of those that we dial, for a session or a stream. Who is removed hears of it when it dials.
    package var mayAnswer: Bool {
        switch self {
        case .member: true
        case .former, .stranger: false
        }
    }
}
