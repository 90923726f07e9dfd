// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem

package struct CompanionProgram: Sendable {
    package let path: String

    /// Beside the daemon (a build), or in PREFIX/libexec/handoff for a daemon in PREFIX/bin or that folder.
    package init(_ name: String, besides executable: String) {
        let beside = executable.parent + "/" + name
        path = access(beside, X_OK) == 0 ? beside : executable.parent.parent + "/libexec/handoff/" + name
    }

    package var installedPath: String? { access(path, X_OK) == 0 ? path : nil }

    package func isRun(as program: RunningProgram) -> Bool {
        var file = stat()
        return stat(path, &file) == 0 && UInt64(file.st_dev) == program.device && UInt64(file.st_ino) == program.inode
    }
}
