// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Keeps hold of a file or a folder without opening it, so that the system tells where it is, also after it was renamed or
/// moved on its file system.
package struct HeldPlace: ~Copyable, Sendable {
    private let descriptor: CInt

    /// Nil and `errno` where there is nothing.
    package init?(path: String) {
        descriptor = retrying { chandoff_hold_place(path) }
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Nil where it has no name any more: it was removed, or another file took its name.
    package var path: String? {
        // What the system says of one that was removed could be the name of another.
        guard let path = "/proc/self/fd/\(descriptor)".linkTarget(), FileStamp(path: path)?.file == stamp?.file else {
            return nil
        }
        return path
    }

    package var stamp: FileStamp? { FileStamp(descriptor: descriptor) }
}
