// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The origin's end of a document's stream.
///
///     waiting --ask--> opening --opened--> (wishing --wish--> selecting --selected-->) sending --sent--> ended
struct DocumentSenderStateMachine: ~Copyable {
    enum State: Hashable {
        /// Can transition to: opening, ended.
        case waiting
        /// Can transition to: wishing, sending, ended.
        case opening
        /// Can transition to: selecting, ended.
        case wishing(items: Int)
        /// Can transition to: sending, ended.
        case selecting
        /// Can transition to: ended.
        case sending
        case ended
    }

    enum Action: Hashable, Sendable {
        /// `opened` or `failed` follows.
        case open(DocumentForm)
        /// Sent with the list, if any.
        case sayHead
        /// `selected` or `failed` follows.
        case select(DocumentWish)
        /// `read` follows with each piece.
        case read
        case send([UInt8])
        case finish(FileDigest)
        /// `says`: notify the other device.
        case fail(Failure, says: Bool)
        case nothing
    }

    private var state = State.waiting

    init() {}

    var hasEnded: Bool { state == .ended }
    var isSending: Bool { state == .sending }

    mutating func came(_ piece: DocumentStreamReader.Piece) -> Action {
        switch (state, piece) {
        case (.ended, _): return .nothing
        case (_, .message(.failure(let failure))): return fail(failure, says: false)
        case (.waiting, .message(.ask(let form))):
            state = .opening
            return .open(form)
        case (.wishing(let items), .message(.wish(let wish))):
            guard wish.bits.count == (items + 7) / 8 else {
                return fail(Failure(.malformed, "a request for items that were not listed"), says: true)
            }
            state = .selecting
            return .select(wish)
        default: return fail(Failure(.malformed, "the other device asked for a document out of order"), says: true)
        }
    }

    /// `items`: the list's length; nil: the whole file is sent.
    mutating func opened(items: Int?) -> Action {
        guard state == .opening else { return .nothing }
        state = items.map { .wishing(items: $0) } ?? .sending
        return .sayHead
    }

    mutating func selected() -> Action {
        guard state == .selecting else { return .nothing }
        state = .sending
        return .read
    }

    /// `bytes` is empty at the end; `last` has the result.
    mutating func read(_ bytes: [UInt8], last: (hash: FileDigest, isUnchanged: Bool)?) -> Action {
        guard state == .sending else { return .nothing }
        guard let last else { return .send(bytes) }
        guard last.isUnchanged else {
            return fail(Failure(.documentChanged, "the document was changed during the transfer"), says: true)
        }
        state = .ended
        return .finish(last.hash)
    }

    mutating func failed(_ failure: Failure) -> Action { fail(failure, says: true) }

    mutating func lost() -> Action {
        fail(Failure(.streamCut, "the other device did not receive the whole document"), says: false)
    }

    private mutating func fail(_ failure: Failure, says: Bool) -> Action {
        guard state != .ended else { return .nothing }
        state = .ended
        return .fail(failure, says: says)
    }
}
