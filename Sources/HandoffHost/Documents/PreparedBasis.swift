// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Of which parts a file is made up that another one may be made of: found out while the other device makes the list of its
/// own. The last one is kept, for whoever begins with that file next.
final class PreparedBasis: Sendable {
    /// Nothing is found out for larger ones, bytes: of one that nobody begins with after all, some 700 KB are kept.
    static let most: UInt64 = 1 << 30

    struct Parts: Sendable {
        let version: FileVersion
        let lengths: Chunker.Lengths
        let list: ChunkList
    }

    private let last = Lock<Parts?>(nil)

    func keep(_ parts: Parts) { last.withLock { $0 = parts } }

    /// Once, and only of that version.
    func take(_ version: FileVersion, _ lengths: Chunker.Lengths) -> ChunkList? {
        last.withLock { parts in
            guard let found = parts, found.version == version, found.lengths == lengths else { return nil }
            parts = nil
            return found.list
        }
    }
}
