// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

final class FileArrival: DocumentArrival {
    /// Writing to the disk begins in pieces of this size, so that the final sync is short.
    private static let stretch: UInt64 = 8 << 20

    let expected: UInt64
    private let disk: DocumentDisk
    private let state: Lock<State>

    private struct State: ~Copyable {
        var arrived: Arrived
        var hasher = FileHasher()
        var count: UInt64 = 0
        /// Bytes whose writing to the disk has begun.
        var begun: UInt64 = 0
    }

    var wish: DocumentWish? { nil }

    init(size: UInt64, for location: DocumentLocation, on disk: DocumentDisk) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        let coming = try Coming.file(in: folder, staging: disk.staging)
        try coming.makeRoom(for: size)
        expected = size
        self.disk = disk
        state = Lock(State(arrived: Arrived(coming)))
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard UInt64(bytes.count) <= expected - state.count else {
                throw Failure(.malformed, "more data of a document arrived than its origin announced")
            }
            let offset = state.count
            try bytes.span.withUnsafeBytes { (raw) throws(Failure) in try state.arrived.write(raw, at: offset) }
            bytes.withUnsafeBytes { state.hasher.update($0) }
            state.count += UInt64(bytes.count)
            guard state.count - state.begun >= Self.stretch else { return }
            let range = state.begun..<state.count
            state.begun = state.count
            try state.arrived.withItem { $0.beginWriting(range) }
        }
    }

    func hash() throws(Failure) -> FileDigest {
        try state.withLock { (state) throws(Failure) in
            if let hash = state.arrived.hash { return hash }
            guard state.count == expected else {
                throw Failure(.malformed, "\(expected - state.count) bytes of a document are missing")
            }
            let hash = state.hasher.finish()
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

    func suspend() throws(Failure) { try withContent { _, _ in } }

    func discard() { state.withLock { $0.arrived.discard() } }

    deinit { state.withLock { $0.arrived.giveUp(on: disk) } }

    /// Calls `body` with the received content, if it still exists, so that a later attempt can reuse it. Frees the
    /// space reserved for the rest.
    func withContent(_ body: (borrowing OpenFile, UInt64) throws(SystemError) -> Void) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard state.arrived.isThere else { return }
            let count = state.count
            try state.arrived.withItem { (file) throws(SystemError) in
                ftruncate(file.descriptor, off_t(count))
                try body(file, count)
            }
        }
    }
}
