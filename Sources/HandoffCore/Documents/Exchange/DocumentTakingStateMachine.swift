// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The receiver's end of a document's stream: asks, has room made, takes what comes, and believes no number that the other
/// side says before the bytes are there.
///
///     asked --head--> (listing --list-->) beginning --ready--> receiving --tail--> ended
package struct DocumentTakingStateMachine: ~Copyable {
    enum State {
        /// Can transition to: listing, beginning, ended.
        case asked(DocumentForm)
        /// The list is coming. Can transition to: beginning, ended.
        case listing(DocumentForm, DocumentHead)
        /// Room is made for it here. Can transition to: receiving, ended.
        case beginning(DocumentHead)
        /// Can transition to: ended.
        case receiving(DocumentHead, missing: UInt64)
        case ended
    }

    package enum Action: Hashable, Sendable {
        case say(DocumentMessage)
        /// It is to be read what that is, and room to be made for it: `ready` or `failed` follows, and nothing is taken until
        /// then.
        case begin(SaidContent, DocumentHead)
        case append(ArraySlice<UInt8>)
        /// All came; so the other side says of the whole document.
        case finish(DocumentHead, FileDigest)
        /// `says`: the other side does not know yet.
        case fail(Failure, says: Bool)
        case nothing
    }

    private var state: State
    private let limits: DocumentLimits
    /// When the other side was heard last, or could not speak.
    private var heard: Instant

    package init(_ form: DocumentForm, limits: DocumentLimits = DocumentLimits(), at now: Instant) {
        state = .asked(form)
        self.limits = limits
        heard = now
    }

    /// Whether what comes is to be read now.
    package var isReading: Bool {
        switch state {
        case .asked, .listing, .receiving: true
        case .beginning, .ended: false
        }
    }

    package var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Bytes that are still to come; nil: not known yet.
    package var missing: UInt64? {
        if case .receiving(_, let missing) = state { missing } else { nil }
    }

    /// By when something has to come.
    package var nextDeadline: Instant? { isReading ? heard.advanced(by: limits.silence) : nil }

    /// Since when nothing came.
    package func silence(at now: Instant) -> Duration { isReading ? heard.duration(to: now) : .zero }

    package func begin() -> Action {
        if case .asked(let form) = state { .say(.ask(form)) } else { .nothing }
    }

    package mutating func came(_ piece: DocumentStreamReader.Piece, at now: Instant) -> Action {
        heard = now
        if case .message(.failure(let failure)) = piece { return fail(failure, says: false) }
        switch (state, piece) {
        case (.asked(.whole), .message(.head(let head))) where head.listBytes == 0:
            state = .beginning(head)
            return .begin(.whole(size: head.size), head)
        case (.asked(let form), .message(.head(let head))) where form != .whole:
            // Of nothing there is no list.
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

    /// Room is there. `wish`: of the list; nil where all of a file comes.
    package mutating func ready(expected: UInt64, wish: DocumentWish?, at now: Instant) -> Action {
        guard case .beginning(let head) = state else { return .nothing }
        heard = now
        state = .receiving(head, missing: expected)
        return wish.map { .say(.wish($0)) } ?? .nothing
    }

    /// Here: no room, or what came is not what it was said to be.
    package mutating func failed(_ failure: Failure) -> Action { fail(failure, says: true) }

    /// The stream ended.
    package mutating func lost(_ failure: Failure?) -> Action {
        fail(failure ?? Failure(.streamCut, "the document ended before all of it had come"), says: false)
    }

    package mutating func deadlineReached(at now: Instant) -> Action {
        guard let nextDeadline, nextDeadline <= now else { return .nothing }
        let seconds = limits.silence.components.seconds
        return fail(Failure(.deviceLost, "nothing of the document came for \(seconds) seconds"), says: true)
    }

    private mutating func fail(_ failure: Failure, says: Bool) -> Action {
        if case .ended = state { return .nothing }
        state = .ended
        return .fail(failure, says: says)
    }
}
