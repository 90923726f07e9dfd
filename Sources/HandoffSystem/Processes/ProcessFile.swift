// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// The file that a process runs. Asks /proc alone, which answers from memory: the file may be on a mount whose server is gone.
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
        var file: (device: UInt64, inode: UInt64) = (0, 0)
        guard chandoff_running_file(folder.descriptor, &file.device, &file.inode) == 0,
            let path = "exe".linkTarget(in: folder.descriptor)
        else { return nil }
        self.path = path
        (device, inode) = file
    }
}
