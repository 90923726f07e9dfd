// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// If two are equal, the file was not written in between.
package struct FileStamp: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    package let file: File
    package let isFolder: Bool
    private let size: Int64
    private let times: [Int]

    /// Follows symbolic links.
    package init?(path: String) {
        var status = Glibc.stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: CInt) {
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: Glibc.stat) {
        file = File(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        isFolder = status.kind == S_IFDIR
        size = Int64(status.st_size)
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
