// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package struct FileStatus: Sendable {
    package let isFile: Bool
    package let isFolder: Bool
    /// Bytes.
    package let size: Int64

    /// Nil if the system call fails.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        isFile = status.kind == S_IFREG
        isFolder = status.kind == S_IFDIR
        size = Int64(status.st_size)
    }
}
