// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The received document of every kind of arrival.
struct Arrived: ~Copyable {
    /// Nil once it is in its place or given up.
    private(set) var coming: Coming?
    var hash: FileDigest?

    init(_ coming: consuming Coming) { self.coming = consume coming }

    var isThere: Bool { coming != nil }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Failure) {
        try withItem { (file) throws(SystemError) in try file.write(bytes, at: offset) }
    }

    /// Calls `body` with the file, or the package's folder. Throws if the document is in its place or given up.
    func withItem(_ body: (borrowing OpenFile) throws(SystemError) -> Void) throws(Failure) {
        switch coming {
        case .some(let coming):
            do throws(SystemError) { try body(coming.item) } catch { throw Failure(placing: error) }
        case .none: throw Self.isOver
        }
    }

    mutating func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        guard isThere else { throw Self.isOver }
        try coming?.sync(modified: modified, mode: mode)
    }

    mutating func place(_ order: PlacingOrder, on disk: DocumentDisk) throws(Failure) -> PlacingOutcome {
        guard let hash else { throw Failure(.internal, "a document is hashed before it is placed") }
        guard var coming = takeOver() else { throw Self.isOver }
        let outcome = try disk.put(&coming, hash, by: order)
        if case .changedMeanwhile = outcome { self.coming = consume coming }
        return outcome
    }

    /// Passes ownership to the caller.
    mutating func takeOver() -> Coming? { coming.take() }

    mutating func discard() { takeOver()?.discard() }

    /// Removes the item on another thread, because the last owner may be the loop.
    mutating func giveUp(on disk: DocumentDisk) {
        guard let coming = takeOver() else { return }
        let held = Lock<Coming?>(coming)
        disk.aside { held.withLock { $0.take() }?.discard() }
    }

    private static var isOver: Failure { Failure(.internal, "a document that is no longer being transferred") }
}
