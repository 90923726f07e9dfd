// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The receiver's end of a document's stream. It trusts no number from the other device before the bytes have arrived.
///
///     asked --head--> (listing --list-->) beginning --ready--> receiving --tail--> ended
struct DocumentReceiverStateMachine: ~Copyable {
    enum State {
        /// Can transition to: listing, beginning, ended.
        case asked(DocumentForm)
        /// Can transition to: beginning, ended.
        case listing(DocumentForm, DocumentHead)
        /// Space is being reserved. Can transition to: receiving, ended.
        case beginning(DocumentHead)
        /// Can transition to: ended.
        case receiving(DocumentHead, missing: UInt64)
        case ended
    }

    enum Action: Hashable, Sendable {
        case say(DocumentMessage)
        /// Reads the description and reserves space before it takes bytes. `ready` or `failed` follows.
        case begin(DescribedContent, DocumentHead)
        case append(ArraySlice<UInt8>)
        case finish(DocumentHead, FileDigest)
        /// `says`: notify the other device.
        case fail(Failure, says: Bool)
        case nothing
    }

    private var state: State
    private let limits: DocumentLimits
    /// The other device last sent data, or had to wait for this device.
    private var heard: Instant

    init(_ form: DocumentForm, limits: DocumentLimits = DocumentLimits(), at now: Instant) {
        state = .asked(form)
        self.limits = limits
        heard = now
    }

    var isReading: Bool {
        switch state {
        case .asked, .listing, .receiving: true
        case .beginning, .ended: false
        }
    }

    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Nil if not yet known.
    var missing: UInt64? {
        if case .receiving(_, let missing) = state { missing } else { nil }
    }

    var nextDeadline: Instant? { isReading ? heard.advanced(by: limits.silence) : nil }

    func silence(at now: Instant) -> Duration { isReading ? heard.duration(to: now) : .zero }

    func begin() -> Action {
        if case .asked(let form) = state { .say(.ask(form)) } else { .nothing }
    }

    mutating func came(_ piece: DocumentStreamReader.Piece, at now: Instant) -> Action {
        heard = now
        if case .message(.failure(let failure)) = piece { return fail(failure, says: false) }
        switch (state, piece) {
        case (.asked(.whole), .message(.head(let head))) where head.listBytes == 0:
            state = .beginning(head)
            return .begin(.whole(size: head.size), head)
        case (.asked(let form), .message(.head(let head))) where form != .whole:
            // An empty document has no list.
            guard head.listBytes > 0 else { return listed([], form, head) }
            state = .listing(form, head)
            return .nothing
        case (.listing(let form, let head), .list(let bytes)): return listed(bytes, form, head)
        case (.receiving(_, let missing), .message(.data(let count))) where UInt64(count) <= missing:
            return .nothing
        case (.receiving(let head, let missing), .bytes(let bytes)):
            state = .receiving(head, missing: missing - UInt64(bytes.count))
            return .append(bytes)
        case (.receiving(let head, 0), .message(.tail(let hash))):
            state = .ended
            return .finish(head, hash)
        case (.ended, _): return .nothing
        default: return fail(Failure(.malformed, "the other device sent a document out of order"), says: true)
        }
    }

    private mutating func listed(_ bytes: [UInt8], _ form: DocumentForm, _ head: DocumentHead) -> Action {
        state = .beginning(head)
        return .begin(form == .chunks ? .chunks(bytes, size: head.size) : .members(bytes, size: head.size), head)
    }

    /// Space is reserved. `wish` nil: the whole file is sent.
    mutating func ready(expected: UInt64, wish: DocumentWish?, at now: Instant) -> Action {
        guard case .beginning(let head) = state else { return .nothing }
        heard = now
        state = .receiving(head, missing: expected)
        return wish.map { .say(.wish($0)) } ?? .nothing
    }

    /// No space, or the content does not match its description.
    mutating func failed(_ failure: Failure) -> Action { fail(failure, says: true) }

    mutating func lost(_ failure: Failure?) -> Action {
        fail(failure ?? Failure(.streamCut, "the document ended before it was complete"), says: false)
    }

    mutating func deadlineReached(at now: Instant) -> Action {
        guard let nextDeadline, nextDeadline <= now else { return .nothing }
        let seconds = limits.silence.components.seconds
        return fail(Failure(.deviceLost, "no data of the document arrived for \(seconds) seconds"), says: true)
    }

    private mutating func fail(_ failure: Failure, says: Bool) -> Action {
        if case .ended = state { return .nothing }
        state = .ended
        return .fail(failure, says: says)
    }
}

/// As described by the other device. Read off the loop, because a list can be long.
enum DescribedContent: Hashable, Sendable {
    case whole(size: UInt64)
    case chunks([UInt8], size: UInt64)
    case members([UInt8], size: UInt64)

    /// Throws `.malformed` if the list is invalid or contradicts the head.
    func read() throws(Failure) -> ArrivingContent {
        do throws(WireError) {
            switch self {
            case .whole(let size): return .whole(size: size)
            case .chunks(let bytes, let size):
                let list = try ChunkList(encoded: bytes)
                guard list.size == size else { break }
                return .chunks(list)
            case .members(let bytes, let size):
                let manifest = try PackageManifest(encoded: bytes)
                guard manifest.size == size else { break }
                return .members(manifest)
            }
        } catch {
            throw Failure(.malformed, error.reason)
        }
        throw Failure(.malformed, "the other device announced two sizes for one document")
    }
}
