// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire

struct PieceBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Small enough to stay in the processor's cache between reading and hashing.
    init(_ count: Int = 256 * 1024) { bytes = .allocate(byteCount: count, alignment: 64) }

    deinit { bytes.deallocate() }
}

extension OpenFile {
    /// Returns the number of bytes read.
    func forEachPiece(
        from begin: UInt64 = 0, to end: UInt64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) -> UInt64 {
        let buffer = PieceBuffer()
        var offset = begin
        while offset < end {
            let wanted = Int(min(end - offset, UInt64(buffer.bytes.count)))
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<wanted]), at: offset)
            if count == 0 { break }
            body(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
            offset += UInt64(count)
        }
        return offset - begin
    }
}

struct HashedFile {
    let version: FileVersion
    let hash: FileDigest

    /// Reads an uncached file up to `limits.tries` times while it is written to.
    init(_ file: borrowing OpenFile, cache: HashCache, limits: DocumentLimits) throws(Failure) {
        for _ in 0..<limits.tries {
            let before = try reading { () throws(SystemError) in try file.version() }
            if let known = cache.hash(of: before) {
                self.init(version: before, hash: known)
                return
            }
            let isSettled = FileClock.waits(past: before.changed)
            let (count, hash) = try reading { () throws(SystemError) in try Self.read(file, size: before.size) }
            let after = try reading { () throws(SystemError) in try file.version() }
            guard after == before, count == before.size else { continue }
            if isSettled { cache.add(hash, for: before) }
            self.init(version: before, hash: hash)
            return
        }
        throw Failure(.documentChanged, "\(file.path) is being written to")
    }

    private init(version: FileVersion, hash: FileDigest) {
        self.version = version
        self.hash = hash
    }

    private static func read(
        _ file: borrowing OpenFile, size: UInt64
    ) throws(SystemError) -> (UInt64, FileDigest) {
        var hasher = FileHasher()
        let count = try file.forEachPiece(to: size) { hasher.update($0) }
        return (count, hasher.finish())
    }
}

final class HashCache: Sendable {
    static let files = Limits.packageMembers

    private struct Generations {
        var young: [FileVersion: FileDigest] = [:]
        var old: [FileVersion: FileDigest] = [:]
    }

    private let generations = Lock(Generations())

    func hash(of version: FileVersion) -> FileDigest? {
        generations.withLock { generations in
            if let hash = generations.young[version] { return hash }
            guard let hash = generations.old[version] else { return nil }
            Self.add(hash, for: version, to: &generations)
            return hash
        }
    }

    /// Only for a version that changes with every write, see `FileClock`.
    func add(_ hash: FileDigest, for version: FileVersion) {
        generations.withLock { Self.add(hash, for: version, to: &$0) }
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }

    private static func add(_ hash: FileDigest, for version: FileVersion, to generations: inout Generations) {
        if generations.young.count >= files {
            generations.old = generations.young
            generations.young = [:]
        }
        generations.young[version] = hash
    }
}
