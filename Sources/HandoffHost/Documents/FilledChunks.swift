// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire

struct FilledChunks {
    let list: ChunkList
    /// Where each chunk begins, and where the last ends.
    private let offsets: [UInt64]
    private let firstPlaces: [FileDigest: Int]
    /// The next index with the same content.
    private let nextPlaces: [Int: Int]
    private(set) var isFilled: [Bool]
    /// The filled chunks that were sent, at their first place.
    private var isSent: [Bool]
    private var filled = 0
    let lengths: Chunker.Lengths

    /// Throws `.limitReached` for a file that is too large.
    init(_ list: ChunkList, limits: DocumentLimits) throws(Failure) {
        var offsets: [UInt64] = [0]
        offsets.reserveCapacity(list.chunks.count + 1)
        var (firstPlaces, lastPlaces): ([FileDigest: Int], [FileDigest: Int]) = ([:], [:])
        var nextPlaces: [Int: Int] = [:]
        var end: UInt64 = 0
        for (index, chunk) in list.chunks.enumerated() {
            // A sum of this many 32-bit numbers cannot overflow.
            end += UInt64(chunk.length)
            offsets.append(end)
            guard let first = firstPlaces[chunk.hash] else {
                firstPlaces[chunk.hash] = index
                continue
            }
            nextPlaces[lastPlaces[chunk.hash] ?? first] = index
            lastPlaces[chunk.hash] = index
        }
        guard end <= limits.chunkedUpTo else {
            throw Failure(.limitReached, "a chunk list of a file of \(end) bytes")
        }
        self.list = list
        self.offsets = offsets
        self.firstPlaces = firstPlaces
        self.nextPlaces = nextPlaces
        lengths = .forFile(end, limits: limits)
        isFilled = [Bool](repeating: false, count: list.chunks.count)
        isSent = isFilled
    }

    var size: UInt64 { offsets[offsets.count - 1] }

    func range(of index: Int) -> Range<UInt64> { offsets[index]..<offsets[index + 1] }

    /// Equal content is requested once.
    var wish: DocumentWish {
        var wish = DocumentWish(itemCount: list.chunks.count)
        for index in isFilled.indices where !isFilled[index] && isFirst(index) { wish[index] = true }
        return wish
    }

    var missingBytes: UInt64 {
        isFilled.indices.reduce(0) { sum, index in
            !isFilled[index] && isFirst(index) ? sum + UInt64(list.chunks[index].length) : sum
        }
    }

    var isComplete: Bool { filled == isFilled.count }

    private func isFirst(_ index: Int) -> Bool { firstPlaces[list.chunks[index].hash] == index }

    /// The caller guarantees the hash. `wasSent`: received before a link was cut.
    mutating func fill(
        _ file: borrowing OpenFile, _ hash: FileDigest, with bytes: UnsafeRawBufferPointer, wasSent: Bool = false
    ) throws(SystemError) {
        var place = firstPlaces[hash]
        while let index = place {
            place = nextPlaces[index]
            guard !isFilled[index], list.chunks[index].length == bytes.count else { continue }
            try file.write(bytes, at: offsets[index])
            isFilled[index] = true
            isSent[index] = wasSent && isFirst(index)
            filled += 1
        }
    }

    mutating func came(_ index: Int, to file: borrowing OpenFile) throws(SystemError) {
        isFilled[index] = true
        isSent[index] = true
        filled += 1
        try spread(index, in: file)
    }

    /// Copies the sent chunks to their other places again.
    mutating func spread(in file: borrowing OpenFile) throws(SystemError) {
        for index in isSent.indices where isSent[index] { try spread(index, in: file) }
    }

    private mutating func spread(_ index: Int, in file: borrowing OpenFile) throws(SystemError) {
        guard nextPlaces[index] != nil else { return }
        let bytes = try file.bytes(at: offsets[index], count: Int(list.chunks[index].length))
        let hash = list.chunks[index].hash
        try bytes.span.withUnsafeBytes { (raw) throws(SystemError) in try fill(file, hash, with: raw) }
    }

    /// Frees copied chunks, which can be copied again.
    mutating func keepWhatCame(in file: borrowing OpenFile) throws(SystemError) {
        var end: UInt64 = 0
        for index in isSent.indices where isSent[index] {
            guard try file.freeRange(end..<offsets[index]) else {
                // Without holes, only the file's beginning can be kept.
                for index in isSent.indices[index...] { isSent[index] = false }
                break
            }
            end = offsets[index + 1]
        }
        try file.truncate(to: end)
        isFilled = isSent
        filled = isSent.count { $0 }
    }

    /// Writes the same bytes that it hashed, even if another program writes to `source`.
    mutating func fill(
        _ file: borrowing OpenFile, from source: borrowing OpenFile, upTo size: UInt64, wasSent: Bool = false
    ) throws(SystemError) {
        var chunker = Chunker(lengths)
        var hasher = FileHasher()
        let buffer = PieceBuffer(max(256 * 1024, 4 * lengths.most))
        // The buffer holds the current chunk, then bytes not yet examined.
        var held = 0
        var looked = 0
        var offset: UInt64 = 0
        while !isComplete {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[held...])
            let wanted = Int(min(UInt64(room.count), size - offset))
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]), at: offset)
            offset += UInt64(count)
            held += count
            var begin = 0
            while let length = chunker.cut(in: UnsafeRawBufferPointer(rebasing: buffer.bytes[looked..<held])) {
                looked += length
                try fill(
                    file, UnsafeRawBufferPointer(rebasing: buffer.bytes[begin..<looked]), &hasher, wasSent: wasSent)
                begin = looked
            }
            guard count > 0, offset < size else {
                return try fill(
                    file, UnsafeRawBufferPointer(rebasing: buffer.bytes[begin..<held]), &hasher, wasSent: wasSent)
            }
            buffer.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.bytes[begin..<held]))
            held -= begin
            looked = held
        }
    }

    /// The caller must check that `source` is unchanged.
    mutating func fill(
        _ file: borrowing OpenFile, from source: borrowing OpenFile, of parts: ChunkList
    ) throws(SystemError) {
        var run: Range<UInt64> = 0..<0
        var target: UInt64 = 0
        var begin: UInt64 = 0
        for part in parts.chunks {
            let range = begin..<begin + UInt64(part.length)
            begin = range.upperBound
            var place = firstPlaces[part.hash]
            while let index = place {
                place = nextPlaces[index]
                guard !isFilled[index], list.chunks[index].length == part.length else { continue }
                isFilled[index] = true
                filled += 1
                if run.upperBound == range.lowerBound, target + UInt64(run.count) == offsets[index] {
                    run = run.lowerBound..<range.upperBound
                } else {
                    try file.copy(run, of: source, to: target)
                    (run, target) = (range, offsets[index])
                }
            }
        }
        try file.copy(run, of: source, to: target)
    }

    private mutating func fill(
        _ file: borrowing OpenFile, _ bytes: UnsafeRawBufferPointer, _ hasher: inout FileHasher, wasSent: Bool
    ) throws(SystemError) {
        guard !bytes.isEmpty else { return }
        hasher.update(bytes)
        try fill(file, hasher.finish(), with: bytes, wasSent: wasSent)
    }
}

/// Chunks that an arriving file may reuse, computed while the other device makes its list.
final class PreparedBasis: Sendable {
    /// Bytes; larger files are skipped. A result for this size takes about 700 KB.
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
