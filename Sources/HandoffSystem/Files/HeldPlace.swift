// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Refers to an item without opening it, so that its path is known even after a move.
package struct HeldPlace: ~Copyable, Sendable {
    private let descriptor: CInt

    /// On failure, nil with `errno`.
    package init?(path: String) {
        descriptor = retrying { chandoff_hold_place(path) }
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Nil if the item was removed or replaced.
    package var path: String? {
        // The reported path may now belong to another file.
        guard let path = "/proc/self/fd/\(descriptor)".linkTarget(), FileStamp(path: path)?.file == stamp?.file else {
            return nil
        }
        return path
    }

    package var stamp: FileStamp? { FileStamp(descriptor: descriptor) }
}
