// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

struct WholeFile: ArrivalContent, ~Copyable {
    /// Written to the disk early in such pieces, so that the final sync is short.
    private static let stretch: UInt64 = 8 << 20

    let expected: UInt64
    private var hasher = FileHasher()
    private(set) var count: UInt64 = 0
    /// Bytes whose writing to the disk has begun.
    private var begun: UInt64 = 0

    var wish: DocumentWish? { nil }

    init(size: UInt64) { expected = size }

    mutating func append(_ bytes: UnsafeRawBufferPointer, to item: borrowing OpenFile) throws(Failure) -> Int {
        guard UInt64(bytes.count) <= expected - count else {
            throw Failure(.malformed, "more data of a document arrived than its origin announced")
        }
        try placing { () throws(SystemError) in try item.write(bytes, at: count) }
        hasher.update(bytes)
        count += UInt64(bytes.count)
        if count - begun >= Self.stretch {
            item.beginWriting(begun..<count)
            begun = count
        }
        return bytes.count
    }

    mutating func hash(of item: borrowing OpenFile) throws(Failure) -> FileDigest {
        guard count == expected else {
            throw Failure(.malformed, "\(expected - count) bytes of a document are missing")
        }
        return hasher.finish()
    }

    /// Frees the space reserved for the rest.
    mutating func keepReceived(in item: borrowing OpenFile) { ftruncate(item.descriptor, off_t(count)) }
}

extension Arrival where Content == WholeFile {
    convenience init(size: UInt64, for location: DocumentLocation, on disk: DocumentDisk) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        let unplaced = try UnplacedDocument.file(in: folder, staging: disk.staging)
        try unplaced.makeRoom(for: size)
        self.init(Received(unplaced, WholeFile(size: size)), on: disk)
    }
}
