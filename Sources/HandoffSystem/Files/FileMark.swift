// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// A boolean in an extended attribute.
package enum FileMark: String, Sendable {
    /// The user has decided what to do with this conflict copy.
    case resolved = "user.handoff.resolved"

    package func isOn(_ path: String) -> Bool { chandoff_has_mark(path, rawValue) != 0 }

    /// On failure, returns false and sets `errno`.
    package func set(_ isOn: Bool, on path: String) -> Bool {
        if isOn { return chandoff_set_mark(path, rawValue) == 0 }
        return chandoff_remove_mark(path, rawValue) == 0 || errno == ENODATA
    }
}
