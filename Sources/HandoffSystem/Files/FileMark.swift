// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// A yes or no that a file carries, as far as its file system can.
package enum FileMark: String, Sendable {
    /// The user has settled what to do about this copy.
    case resolved = "user.handoff.resolved"

    package func isOn(_ path: String) -> Bool { chandoff_has_mark(path, rawValue) != 0 }

    /// False and `errno` where that cannot be.
    package func set(_ isOn: Bool, on path: String) -> Bool {
        if isOn { return chandoff_set_mark(path, rawValue) == 0 }
        return chandoff_remove_mark(path, rawValue) == 0 || errno == ENODATA
    }
}
