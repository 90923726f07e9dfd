// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

struct MemoryPieces: Sendable {
    private(set) var bytes: [FileDigest: [UInt8]] = [:]

    /// A complete file, a chunk or a member.
    struct Item {
        var size: UInt64
        /// Nil: not known in advance.
        var hash: FileDigest?
    }

    subscript(hash: FileDigest) -> [UInt8]? { bytes[hash] }

    /// The complete file, and its chunks.
    mutating func add(_ file: [UInt8]) {
        for piece in [file] + file.cutInMemory { bytes[FileDigest(of: piece)] = piece }
    }

    func joined(with other: MemoryPieces?) -> MemoryPieces {
        var pieces = self
        pieces.bytes.merge(other?.bytes ?? [:]) { first, _ in first }
        return pieces
    }
}

extension ArrivingContent {
    var items: [MemoryPieces.Item] {
        switch self {
        case .whole(let size): [MemoryPieces.Item(size: size, hash: nil)]
        case .chunks(let list): list.chunks.map { MemoryPieces.Item(size: UInt64($0.length), hash: $0.hash) }
        case .members(let manifest):
            manifest.members.map { member in
                guard case .file(let size, let hash, _) = member.content else {
                    return MemoryPieces.Item(size: 0, hash: nil)
                }
                return MemoryPieces.Item(size: size, hash: hash)
            }
        }
    }
}

extension [UInt8] {
    var cutInMemory: [[UInt8]] {
        stride(from: 0, to: count, by: MemoryDocumentFiles.chunkBytes).map {
            Array(self[$0..<Swift.min($0 + MemoryDocumentFiles.chunkBytes, count)])
        }
    }
}
