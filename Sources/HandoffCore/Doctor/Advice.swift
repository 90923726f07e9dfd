// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum Advice {
    package static let joinAccount =
        "run: handoff account create    or, to join another device's: handoff account join"
    package static let leaveStateToOtherHost =
        "stop it there, or give this host a state of its own with XDG_STATE_HOME or --root, and let it join as a device of its own"
}

extension RecoveryKeyState {
    /// `purpose`: of the command that helps. Nil: no problem.
    package var problem: (clause: String, purpose: String, command: String)? {
        switch self {
        case .confirmed: nil
        case .unconfirmed:
            ("you have not confirmed that you have the recovery key", "to show it", "handoff account key")
        case .lost:
            (
                "the recovery key was not confirmed before handoffd stopped, and is lost", "to make a new one",
                "handoff account new-key"
            )
        }
    }
}
