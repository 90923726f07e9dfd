// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The file that a process runs.
package struct ProcessFile: Hashable, Sendable {
    /// For people and logs: by now something else may be there.
    package let path: String
    /// The file itself.
    package let device: UInt64
    package let inode: UInt64

    /// Of the process that has this number. Nil: there is none.
    ///
    /// The number of a process that ended is given to another one some time. So whoever knows the process by more than its
    /// number holds it by a descriptor, and that is asked once the folder in /proc is open: from then on that folder is no
    /// other process's.
    package init?(of processID: Int32, heldBy process: borrowing ProcessDescriptor?) {
        guard let folder = try? OpenFile.open("/proc/\(processID)", O_RDONLY | O_DIRECTORY) else { return nil }
        switch process {
        case .some(let process): guard process.isRunning else { return nil }
        case .none: break
        }
        // Follows the link to the file that runs, in whatever mount namespace and whatever has become of its path.
        var file = stat()
        guard fstatat(folder.descriptor, "exe", &file, 0) == 0,
            let path = "exe".linkTarget(in: folder.descriptor)
        else { return nil }
        self.path = path
        device = UInt64(file.st_dev)
        inode = UInt64(file.st_ino)
    }
}
