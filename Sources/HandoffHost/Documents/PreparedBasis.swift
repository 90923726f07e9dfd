// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The chunks of a file that an arriving file may reuse, computed while the other device makes its list. Only the last
/// result is kept, until an arrival uses it.
final class PreparedBasis: Sendable {
    /// Larger files are skipped, bytes: an unused result for one of this size takes about 700 KB.
    static let most: UInt64 = 1 << 30

    struct Parts: Sendable {
        let version: FileVersion
        let lengths: Chunker.Lengths
        let list: ChunkList
    }

    private let last = Lock<Parts?>(nil)

    func keep(_ parts: Parts) { last.withLock { $0 = parts } }

    /// Returns the list once, and only for that version.
    func take(_ version: FileVersion, _ lengths: Chunker.Lengths) -> ChunkList? {
        last.withLock { parts in
            guard let found = parts, found.version == version, found.lengths == lengths else { return nil }
            parts = nil
            return found.list
        }
    }
}
