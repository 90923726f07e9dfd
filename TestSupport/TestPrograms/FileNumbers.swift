// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Of a file, at the end of its links. Not in files that import Foundation: with it, the module that declares `stat` depends on
/// the order of compilation.
package struct FileNumbers {
    package let device: UInt64
    package let inode: UInt64

    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
