// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum Admission: Hashable, Sendable, CaseIterable {
    case member
    /// It was removed from the account, and may not know it. It is notified of that, and of nothing else.
    case former
    case stranger

    /// Whether it may dial this device for that purpose. A joining device is admitted by an invite's code instead.
    package func mayDial(for purpose: ConnectionPurpose) -> Bool {
        switch (self, purpose) {
        case (.member, .session), (.member, .stream), (.former, .session): true
        case (.former, .stream), (.stranger, _), (_, .enroll): false
        }
    }

    /// Whether this device dials it for a session or a stream. A removed device learns of the removal when it dials.
    package var mayAnswer: Bool {
        switch self {
        case .member: true
        case .former, .stranger: false
        }
    }
}
