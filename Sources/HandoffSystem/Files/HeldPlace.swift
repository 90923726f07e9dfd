// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Refers to a file or folder without opening it, so that its path can be found even after it was moved on its file
/// system.
package struct HeldPlace: ~Copyable, Sendable {
    private let descriptor: CInt

    /// On failure, returns nil and sets `errno`.
    package init?(path: String) {
        descriptor = retrying { chandoff_hold_place(path) }
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Nil if it has no name: it was removed, or replaced by another file.
    package var path: String? {
        // The reported path of a removed file may now belong to another one.
        guard let path = "/proc/self/fd/\(descriptor)".linkTarget(), FileStamp(path: path)?.file == stamp?.file else {
            return nil
        }
        return path
    }

    package var stamp: FileStamp? { FileStamp(descriptor: descriptor) }
}
