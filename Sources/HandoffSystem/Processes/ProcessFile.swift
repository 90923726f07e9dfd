// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// From /proc alone, because the program's mount may be unreachable.
package struct ProcessFile: Hashable, Sendable {
    /// For people and logs: another file may be there by now.
    package let path: String
    package let device: UInt64
    package let inode: UInt64

    /// Nil if no process has this number. Numbers are reused; `process` makes it certain: it is checked after the
    /// folder in /proc was opened, which from then on cannot refer to another process.
    package init?(of processID: Int32, heldBy process: borrowing ProcessDescriptor?) {
        guard let folder = try? OpenFile.open("/proc/\(processID)", O_RDONLY | O_DIRECTORY) else { return nil }
        switch process {
        case .some(let process): guard process.isRunning else { return nil }
        case .none: break
        }
        guard let file = folder.linkedFile(of: Array("exe".utf8)),
            let path = "exe".linkTarget(in: folder.descriptor)
        else { return nil }
        self.path = path
        (device, inode) = (file.device, file.inode)
    }
}

extension OpenFile {
    /// By a link in /proc. Does not wait for the mount.
    package func linkedFile(of name: [UInt8]) -> (device: UInt64, inode: UInt64, isFile: Bool)? {
        var file: (device: UInt64, inode: UInt64, isFile: CInt) = (0, 0, 0)
        guard chandoff_linked_file(descriptor, name.cString, &file.device, &file.inode, &file.isFile) == 0 else {
            return nil
        }
        return (file.device, file.inode, file.isFile != 0)
    }
}
