// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem

/// Another program of Handoff, which belongs to this daemon.
package struct CompanionProgram: Sendable {
    package let path: String

    /// Where it is built, beside the daemon; else where it is installed: PREFIX/libexec/handoff, with the daemon in
    /// PREFIX/bin or there too. `executable` is the daemon's own path.
    package init(_ name: String, besides executable: String) {
        let beside = executable.parent + "/" + name
        path = access(beside, X_OK) == 0 ? beside : executable.parent.parent + "/libexec/handoff/" + name
    }

    /// Whether that process runs it, as it lies there now.
    package func isRun(as program: RunningProgram) -> Bool {
        var file = stat()
        return stat(path, &file) == 0 && UInt64(file.st_dev) == program.device && UInt64(file.st_ino) == program.inode
    }
}
