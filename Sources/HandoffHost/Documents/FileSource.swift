// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// A file being sent, as it was when opened.
final class FileSource: DocumentSource {
    let head: DocumentHead
    private let file: OpenFile
    private let version: FileVersion
    private let isSettled: Bool
    private let cache: HashCache
    private let limits: DocumentLimits
    private let state = Lock(State())

    private struct State: ~Copyable {
        var list: ChunkList?
        /// Nil: all.
        var ranges: ArraySlice<Range<UInt64>>?
        var hasher = FileHasher()
        var given: UInt64 = 0
        var hash: FileDigest?
    }

    /// Throws `.notAllowed` if it is not a file.
    init(_ file: consuming OpenFile, cache: HashCache, limits: DocumentLimits) throws(Failure) {
        let status = try reading { () throws(SystemError) in try file.status() }
        guard status.kind == S_IFREG else { throw Failure(noDocument: file.path) }
        version = FileVersion(status)
        isSettled = FileClock.waits(past: version.changed)
        self.file = file
        self.cache = cache
        self.limits = limits
        head = DocumentHead(
            size: version.size, modified: version.modified, mode: SentMode(version.mode), hash: cache.hash(of: version))
        state.withLock { $0.hash = head.hash }
    }

    func chunks() throws(Failure) -> ChunkList {
        guard head.size <= limits.chunkedUpTo else {
            throw Failure(.limitReached, "\(file.path) is too large for a chunk list")
        }
        return try state.withLock { (state) throws(Failure) in
            if let list = state.list { return list }
            let (list, hash) = try makeList(hashing: state.hash == nil)
            if let hash { know(hash, &state) }
            state.list = list
            return list
        }
    }

    private func makeList(hashing: Bool) throws(Failure) -> (ChunkList, FileDigest?) {
        var chunker = Chunker(.forFile(head.size, limits: limits))
        var chunks: [ChunkList.Chunk] = []
        var chunk = FileHasher()
        var whole = FileHasher()
        var length = 0
        let count = try reading { () throws(SystemError) in
            try file.forEachPiece(to: head.size) { piece in
                if hashing { whole.update(piece) }
                var rest = piece
                while !rest.isEmpty {
                    let cut = chunker.cut(in: rest)
                    let part = UnsafeRawBufferPointer(rebasing: rest[..<(cut ?? rest.count)])
                    chunk.update(part)
                    length += part.count
                    if cut != nil {
                        chunks.append(ChunkList.Chunk(length: UInt32(length), hash: chunk.finish()))
                        length = 0
                    }
                    rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
                }
            }
        }
        guard count == head.size, isUnchanged() else { throw changed }
        if length > 0 { chunks.append(ChunkList.Chunk(length: UInt32(length), hash: chunk.finish())) }
        return (ChunkList(chunks), hashing ? whole.finish() : nil)
    }

    /// Nil if that size has other chunk lengths, or if this file is being written to.
    func parts(for size: UInt64) throws(Failure) -> PreparedBasis.Parts? {
        let lengths = Chunker.Lengths.forFile(size, limits: limits)
        guard isSettled, lengths == .forFile(head.size, limits: limits) else { return nil }
        return PreparedBasis.Parts(version: version, lengths: lengths, list: try chunks())
    }

    func manifest() throws(Failure) -> PackageManifest { throw Failure(.notAllowed, "\(file.path) is not a package") }

    func select(_ wish: DocumentWish?) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            state.given = 0
            state.hasher = FileHasher()
            guard let wish else {
                state.ranges = nil
                return
            }
            guard let list = state.list else { throw Failure(.malformed, "a request for chunks without a chunk list") }
            var ranges: [Range<UInt64>] = []
            var begin: UInt64 = 0
            for (index, chunk) in list.chunks.enumerated() {
                let end = begin + UInt64(chunk.length)
                if wish[index] {
                    if let last = ranges.last, last.upperBound == begin {
                        ranges[ranges.count - 1] = last.lowerBound..<end
                    } else {
                        ranges.append(begin..<end)
                    }
                }
                begin = end
            }
            state.ranges = ranges[...]
        }
    }

    func next(_ limit: Int) throws(Failure) -> [UInt8] {
        try state.withLock { (state) throws(Failure) in
            guard let ranges = state.ranges else {
                let bytes = try read(state.given..<head.size, limit: limit)
                state.given += UInt64(bytes.count)
                guard state.hash == nil else { return bytes }
                bytes.withUnsafeBytes { state.hasher.update($0) }
                if state.given == head.size { know(state.hasher.finish(), &state) }
                return bytes
            }
            guard let range = ranges.first else { return [] }
            let bytes = try read(range, limit: limit)
            let rest = range.lowerBound + UInt64(bytes.count)..<range.upperBound
            if rest.isEmpty { state.ranges?.removeFirst() } else { state.ranges?[ranges.startIndex] = rest }
            return bytes
        }
    }

    private func read(_ range: Range<UInt64>, limit: Int) throws(Failure) -> [UInt8] {
        let wanted = Int(min(UInt64(range.count), UInt64(max(limit, 0))))
        guard wanted > 0 else { return [] }
        let bytes = try reading { () throws(SystemError) in try file.bytes(at: range.lowerBound, count: wanted) }
        guard bytes.count == wanted else { throw changed }
        return bytes
    }

    func hash() throws(Failure) -> FileDigest {
        try state.withLock { (state) throws(Failure) in
            if let hash = state.hash { return hash }
            var hasher = FileHasher()
            let count = try reading { () throws(SystemError) in
                try file.forEachPiece(to: head.size) { hasher.update($0) }
            }
            guard count == head.size else { throw changed }
            let hash = hasher.finish()
            know(hash, &state)
            return hash
        }
    }

    private func know(_ hash: FileDigest, _ state: inout State) {
        state.hash = hash
        if isSettled, isUnchanged() { cache.add(hash, for: version) }
    }

    func isUnchanged() -> Bool { (try? file.version()) == version }

    private var changed: Failure { Failure(.documentChanged, "\(file.path) was written to while it was sent") }
}

extension Failure {
    init(noDocument path: String) {
        self.init(.notAllowed, "\(path) is not a document: it is neither a file nor a package")
    }
}
