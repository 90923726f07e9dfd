// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

struct MissingChunks: ArrivalContent, ~Copyable {
    private let missing: DocumentWish
    let expected: UInt64
    private(set) var chunks: FilledChunks
    private var current = 0
    private var count = 0
    private var chunk = FileHasher()
    /// Covers everything before `current`, and its received part.
    private var whole = FileHasher()
    private var hashed = 0

    init(_ chunks: FilledChunks) {
        self.chunks = chunks
        missing = chunks.wish
        expected = chunks.missingBytes
    }

    var wish: DocumentWish? { missing }

    mutating func append(_ bytes: UnsafeRawBufferPointer, to item: borrowing OpenFile) throws(Failure) -> Int {
        let list = chunks.list.chunks
        while current < list.count, !missing[current] { current += 1 }
        guard current < list.count else {
            throw Failure(.malformed, "more data of a document arrived than was requested")
        }
        let index = current
        try hash(before: index, in: item)
        let length = Int(list[index].length)
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, length - count)])
        try placing { () throws(SystemError) in
            try item.write(part, at: chunks.range(of: index).lowerBound + UInt64(count))
        }
        chunk.update(part)
        whole.update(part)
        count += part.count
        guard count == length else { return part.count }
        guard chunk.finish() == list[index].hash else {
            throw Failure(.malformed, "a chunk of a document does not match the chunk list")
        }
        try placing { () throws(SystemError) in try chunks.came(index, to: item) }
        current += 1
        hashed = current
        count = 0
        return part.count
    }

    private mutating func hash(before index: Int, in item: borrowing OpenFile) throws(Failure) {
        guard hashed < index else { return }
        let begin = chunks.range(of: hashed).lowerBound
        let end = chunks.range(of: index - 1).upperBound
        try placing { () throws(SystemError) in
            guard try item.forEachPiece(from: begin, to: end, { whole.update($0) }) == end - begin else {
                throw SystemError(EIO, item.path)
            }
        }
        hashed = index
    }

    mutating func hash(of item: borrowing OpenFile) throws(Failure) -> FileDigest {
        guard chunks.isComplete else {
            throw Failure(.malformed, "\(chunks.missingBytes) bytes of a document are missing")
        }
        try hash(before: chunks.list.chunks.count, in: item)
        return whole.finish()
    }

    mutating func keepReceived(in item: borrowing OpenFile) throws(Failure) {
        try placing { () throws(SystemError) in try chunks.keepWhatCame(in: item) }
    }
}

extension Arrival where Content == MissingChunks {
    /// `left`: the part of the document received earlier.
    convenience init(
        _ list: ChunkList, for location: DocumentLocation, basis: [DocumentLocation], left: (any DocumentArrival)?,
        on disk: DocumentDisk
    ) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        let unplaced: UnplacedDocument
        var chunks: FilledChunks
        if let taken = try (left as? Self)?.takeOver(if: { $0.chunks.list == list }) {
            chunks = taken.content.chunks
            unplaced = taken.unplaced
        } else {
            chunks = try FilledChunks(list, limits: disk.limits)
            unplaced = try UnplacedDocument.file(in: folder, staging: disk.staging)
        }
        try unplaced.makeRoom(for: chunks.size)
        try chunks.fill(unplaced.item, from: left)
        try chunks.fill(unplaced.item, from: basis, on: disk)
        left?.discard()
        unplaced.item.beginWriting(0..<chunks.size)
        self.init(Received(unplaced, MissingChunks(chunks)), on: disk)
    }
}

extension FilledChunks {
    /// Reuses chunks received earlier, to which no other program writes.
    fileprivate mutating func fill(
        _ item: borrowing OpenFile, from left: (any DocumentArrival)?
    ) throws(Failure) {
        try placing { () throws(SystemError) in try spread(in: item) }
        try (left as? Arrival<WholeFile>)?.read { (file, content) throws(Failure) in
            try placing { () throws(SystemError) in
                try fill(item, from: file, upTo: content.count, wasSent: true)
            }
        }
        try (left as? Arrival<MissingChunks>)?.read { (file, content) throws(Failure) in
            try placing { () throws(SystemError) in try fill(item, from: file, of: content.chunks) }
        }
    }

    private mutating func fill(
        _ item: borrowing OpenFile, from file: borrowing OpenFile, of other: FilledChunks
    ) throws(SystemError) {
        for (index, chunk) in other.list.chunks.enumerated() where other.isFilled[index] {
            let range = other.range(of: index)
            let bytes = try file.bytes(at: range.lowerBound, count: range.count)
            try bytes.span.withUnsafeBytes { (raw) throws(SystemError) in
                try fill(item, chunk.hash, with: raw, wasSent: true)
            }
        }
    }

    fileprivate mutating func fill(
        _ item: borrowing OpenFile, from basis: [DocumentLocation], on disk: DocumentDisk
    ) throws(Failure) {
        for location in basis where !isComplete {
            guard case .document(let found)? = try? disk.open(location, asPackage: false), found.kind == .file
            else { continue }
            try placing { () throws(SystemError) in
                let version = try found.item.version()
                if let parts = disk.prepared.take(version, lengths) {
                    let before = self
                    try fill(item, from: found.item, of: parts)
                    if try found.item.version() == version { return }
                    // Another program wrote to it in the meantime.
                    self = before
                }
                try fill(item, from: found.item, upTo: version.size)
            }
        }
    }
}
