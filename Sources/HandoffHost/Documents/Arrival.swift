// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

protocol ArrivalContent: ~Copyable, SendableMetatype {
    /// As of `DocumentArrival`.
    var wish: DocumentWish? { get }
    /// Before any bytes.
    var expected: UInt64 { get }
    /// Returns the number of bytes consumed: all, or the rest of a chunk or member.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to item: borrowing OpenFile) throws(Failure) -> Int
    /// Throws `.malformed` if bytes are missing.
    mutating func hash(of item: borrowing OpenFile) throws(Failure) -> FileDigest
    mutating func sync(_ unplaced: inout UnplacedDocument, modified: FileTime, mode: SentMode) throws(Failure)
    /// Keeps only the bytes from the network; the rest can be copied again.
    mutating func keepReceived(in item: borrowing OpenFile) throws(Failure)
}

extension ArrivalContent where Self: ~Copyable {
    mutating func sync(_ unplaced: inout UnplacedDocument, modified: FileTime, mode: SentMode) throws(Failure) {
        try unplaced.sync(modified: modified, mode: mode)
    }
}

final class Arrival<Content: ArrivalContent & ~Copyable>: DocumentArrival {
    struct Received: ~Copyable {
        var unplaced: UnplacedDocument
        var content: Content
        fileprivate var hash: FileDigest?

        init(_ unplaced: consuming UnplacedDocument, _ content: consuming Content) {
            self.unplaced = unplaced
            self.content = content
        }

        mutating func append(_ bytes: [UInt8]) throws(Failure) {
            try bytes.span.withUnsafeBytes { (raw) throws(Failure) in
                var rest = raw
                while !rest.isEmpty {
                    let count = try content.append(rest, to: unplaced.item)
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }

        fileprivate mutating func computeHash() throws(Failure) -> FileDigest {
            if let hash { return hash }
            let hash = try content.hash(of: unplaced.item)
            self.hash = hash
            return hash
        }

        fileprivate mutating func sync(modified: FileTime, mode: SentMode) throws(Failure) {
            try content.sync(&unplaced, modified: modified, mode: mode)
        }

        /// A hashed document is complete, so all of it is kept.
        fileprivate mutating func suspend() throws(Failure) {
            if hash == nil { try content.keepReceived(in: unplaced.item) }
        }

        fileprivate consuming func discard() { unplaced.discard() }
    }

    let wish: DocumentWish?
    let expected: UInt64
    private let disk: DocumentDisk
    /// Nil once the document is placed, discarded or taken over.
    private let received: Lock<Received?>

    init(_ received: consuming sending Received, on disk: DocumentDisk) {
        wish = received.content.wish
        expected = received.content.expected
        self.disk = disk
        self.received = Lock(received)
    }

    /// On another thread, because the last owner may be the loop.
    deinit {
        guard let left = received.withLock({ $0.take() }) else { return }
        let held = Lock<Received?>(left)
        disk.aside { held.withLock { $0.take() }?.discard() }
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        try received.withLock { (received) throws(Failure) in
            guard try received?.append(bytes) != nil else { throw .transferIsOver }
        }
    }

    func hash() throws(Failure) -> FileDigest {
        try received.withLock { (received) throws(Failure) in
            guard let hash = try received?.computeHash() else { throw .transferIsOver }
            return hash
        }
    }

    func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        try received.withLock { (received) throws(Failure) in
            guard try received?.sync(modified: modified, mode: mode) != nil else { throw .transferIsOver }
        }
    }

    func place(_ order: PlacementOrder) throws(Failure) -> PlacementOutcome {
        try received.withLock { (received) throws(Failure) in
            guard var document = received.take() else { throw .transferIsOver }
            guard let hash = document.hash else {
                received = consume document
                throw Failure(.internal, "a document is hashed before it is placed")
            }
            let outcome = try disk.put(&document.unplaced, hash, by: order)
            if case .changedMeanwhile = outcome { received = consume document }
            return outcome
        }
    }

    func suspend() throws(Failure) {
        try received.withLock { (received) throws(Failure) in try received?.suspend() }
    }

    func discard() { received.withLock { $0.take() }?.discard() }

    // MARK: A later attempt

    /// Passes the document on if `isSame` returns true. Nil otherwise, or if it is gone.
    func takeOver(
        if isSame: @Sendable (inout Content) throws(Failure) -> Bool
    ) throws(Failure) -> Received? {
        try received.withLock { (received) throws(Failure) in
            guard var document = received.take() else { return nil }
            guard try isSame(&document.content) else {
                received = consume document
                return nil
            }
            return document
        }
    }

    func read(_ body: (borrowing OpenFile, borrowing Content) throws(Failure) -> Void) throws(Failure) {
        try received.withLock { (received) throws(Failure) in
            switch received {
            case .some(let document): try body(document.unplaced.item, document.content)
            case .none: return
            }
        }
    }
}

extension Failure {
    fileprivate static var transferIsOver: Failure {
        Failure(.internal, "a document that is no longer being transferred")
    }
}
