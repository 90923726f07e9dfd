// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// A file whose missing chunks are received.
final class ChunkArrival: DocumentArrival {
    let wish: DocumentWish?
    let expected: UInt64
    private let disk: DocumentDisk
    private let state: Lock<State>

    private struct State: ~Copyable {
        var arrived: Arrived
        var chunks: FilledChunks
        /// Index of the chunk that is received now or next.
        var current = 0
        /// Bytes received of the current chunk.
        var count = 0
        var chunk = FileHasher()
        /// Hashes everything before `current`, and the received part of that chunk.
        var whole = FileHasher()
        /// Chunks that `whole` has hashed.
        var hashed = 0
    }

    /// `left`: the part of the document received earlier.
    init(
        _ list: ChunkList, for location: DocumentLocation, basis: [DocumentLocation], left: (any DocumentArrival)?,
        on disk: DocumentDisk
    ) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        self.disk = disk
        var work: Taken
        if let taken = (left as? ChunkArrival)?.takeOver(list) {
            work = taken
        } else {
            let chunks = try FilledChunks(list, limits: disk.limits)
            work = Taken(coming: try Coming.file(in: folder, staging: disk.staging), chunks: chunks)
        }
        try work.coming.makeRoom(for: work.chunks.size)
        try work.fill(from: left)
        try work.fill(from: basis, on: disk)
        left?.discard()
        work.coming.item.beginWriting(0..<work.chunks.size)
        wish = work.chunks.wish
        expected = work.chunks.missingBytes
        state = Lock(work.state())
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            try bytes.span.withUnsafeBytes { (raw) throws(Failure) in
                var rest = raw
                while !rest.isEmpty {
                    let count = try append(rest, &state)
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }
    }

    /// Consumes the bytes of the current chunk, and returns their number.
    private func append(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(Failure) -> Int {
        let list = state.chunks.list.chunks
        while state.current < list.count, wish?[state.current] != true { state.current += 1 }
        guard state.current < list.count else {
            throw Failure(.malformed, "more data of a document arrived than was requested")
        }
        let index = state.current
        try hash(before: index, &state)
        let length = Int(list[index].length)
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, length - state.count)])
        try state.arrived.write(part, at: state.chunks.range(of: index).lowerBound + UInt64(state.count))
        state.chunk.update(part)
        state.whole.update(part)
        state.count += part.count
        guard state.count == length else { return part.count }
        guard state.chunk.finish() == list[index].hash else {
            throw Failure(.malformed, "a chunk of a document does not match the chunk list")
        }
        try state.arrived.withItem { (file) throws(SystemError) in try state.chunks.came(index, to: file) }
        state.current += 1
        state.hashed = state.current
        state.count = 0
        return part.count
    }

    /// Updates `whole` with everything before that chunk, which is complete.
    private func hash(before index: Int, _ state: inout State) throws(Failure) {
        guard state.hashed < index else { return }
        let begin = state.chunks.range(of: state.hashed).lowerBound
        let end = state.chunks.range(of: index - 1).upperBound
        try state.arrived.withItem { (file) throws(SystemError) in
            guard try file.forEachPiece(from: begin, to: end, { state.whole.update($0) }) == end - begin else {
                throw SystemError(EIO, file.path)
            }
        }
        state.hashed = index
    }

    func hash() throws(Failure) -> FileDigest {
        try state.withLock { (state) throws(Failure) in
            if let hash = state.arrived.hash { return hash }
            guard state.chunks.isComplete else {
                throw Failure(.malformed, "\(state.chunks.missingBytes) bytes of a document are missing")
            }
            try hash(before: state.chunks.list.chunks.count, &state)
            let hash = state.whole.finish()
            state.arrived.hash = hash
            return hash
        }
    }

    func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        try state.withLock { (state) throws(Failure) in try state.arrived.sync(modified: modified, mode: mode) }
    }

    func place(_ order: PlacingOrder) throws(Failure) -> PlacingOutcome {
        try state.withLock { (state) throws(Failure) in try state.arrived.place(order, on: disk) }
    }

    func suspend() throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard state.arrived.isThere, state.arrived.hash == nil else { return }
            try state.arrived.withItem { (file) throws(SystemError) in try state.chunks.keepWhatCame(in: file) }
        }
    }

    func discard() { state.withLock { $0.arrived.discard() } }

    deinit { state.withLock { $0.arrived.giveUp(on: disk) } }

    // MARK: A later attempt

    private struct Taken: ~Copyable {
        let coming: Coming
        var chunks: FilledChunks

        consuming func state() -> State { State(arrived: Arrived(coming), chunks: chunks) }

        /// Takes chunks that were received before. No other program writes to them.
        mutating func fill(from left: (any DocumentArrival)?) throws(Failure) {
            try placing { () throws(SystemError) in try chunks.spread(in: coming.item) }
            try (left as? FileArrival)?.withContent { (file, count) throws(SystemError) in
                try chunks.fill(coming.item, from: file, upTo: count, wasSent: true)
            }
            try (left as? ChunkArrival)?.fill(coming.item, &chunks)
        }

        /// Takes chunks of documents on this device.
        mutating func fill(from basis: [DocumentLocation], on disk: DocumentDisk) throws(Failure) {
            for location in basis where !chunks.isComplete {
                guard case .document(let found)? = try? disk.open(location, asPackage: false), found.kind == .file
                else { continue }
                try placing { () throws(SystemError) in
                    let version = try found.item.version()
                    if let parts = disk.prepared.take(version, chunks.lengths) {
                        let before = chunks
                        try chunks.fill(coming.item, from: found.item, of: parts)
                        if try found.item.version() == version { return }
                        // Another program wrote to it in the meantime.
                        chunks = before
                    }
                    try chunks.fill(coming.item, from: found.item, upTo: version.size)
                }
            }
        }
    }

    /// The file with all received chunks, if the list is the same. Nil otherwise, or if the file is gone.
    private func takeOver(_ list: ChunkList) -> Taken? {
        state.withLock { state in
            guard state.chunks.list == list, let coming = state.arrived.takeOver() else { return nil }
            return Taken(coming: coming, chunks: state.chunks)
        }
    }

    /// Copies the chunks of this different list into `file`.
    private func fill(_ file: borrowing OpenFile, _ chunks: inout FilledChunks) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard state.arrived.isThere else { return }
            let own = state.chunks
            try state.arrived.withItem { (ownFile) throws(SystemError) in
                for (index, chunk) in own.list.chunks.enumerated() where own.isFilled[index] {
                    let range = own.range(of: index)
                    let bytes = try ownFile.bytes(at: range.lowerBound, count: range.count)
                    try bytes.span.withUnsafeBytes { (raw) throws(SystemError) in
                        try chunks.fill(file, chunk.hash, with: raw, wasSent: true)
                    }
                }
            }
        }
    }
}
