// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What an open descriptor leads to.
package struct FileStatus: Sendable {
    package let isFile: Bool
    package let isFolder: Bool
    /// Of a file, bytes from its beginning.
    package let size: Int64

    /// Nil where the system does not say.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        isFile = status.kind == S_IFREG
        isFolder = status.kind == S_IFDIR
        size = Int64(status.st_size)
    }
}
