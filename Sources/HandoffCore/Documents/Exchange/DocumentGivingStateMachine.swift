// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The origin's end of a document's stream.
///
///     waiting --ask--> opening --opened--> (wishing --wish--> selecting --selected-->) sending --sent--> ended
package struct DocumentGivingStateMachine: ~Copyable {
    enum State: Hashable {
        /// Can transition to: opening, ended.
        case waiting
        /// Can transition to: wishing, sending, ended.
        case opening
        /// The list went. Can transition to: selecting, ended.
        case wishing(items: Int)
        /// Can transition to: sending, ended.
        case selecting
        /// Can transition to: ended.
        case sending
        case ended
    }

    package enum Action: Hashable, Sendable {
        /// `opened` or `failed` follows.
        case open(DocumentForm)
        /// The list, if any, goes with it.
        case sayHead
        /// `selected` or `failed` follows.
        case select(DocumentWish)
        /// The next bytes are to be read and sent: `read` follows with each.
        case read
        case send([UInt8])
        /// The last word, and then the end of the stream.
        case finish(FileDigest)
        /// `says`: the other side does not know yet.
        case fail(Failure, says: Bool)
        case nothing
    }

    private var state = State.waiting

    package init() {}

    package var hasEnded: Bool { state == .ended }
    package var isSending: Bool { state == .sending }

    package mutating func came(_ piece: DocumentStreamReader.Piece) -> Action {
        switch (state, piece) {
        case (.ended, _): return .nothing
        case (_, .message(.failure(let failure))): return fail(failure, says: false)
        case (.waiting, .message(.ask(let form))):
            state = .opening
            return .open(form)
        case (.wishing(let items), .message(.wish(let wish))):
            guard wish.bits.count == (items + 7) / 8 else {
                return fail(Failure(.malformed, "a wish for other items than were listed"), says: true)
            }
            state = .selecting
            return .select(wish)
        default: return fail(Failure(.malformed, "the other device asked for a document out of order"), says: true)
        }
    }

    /// `items`: of the list; nil where all of a file is to be sent.
    package mutating func opened(items: Int?) -> Action {
        guard state == .opening else { return .nothing }
        state = items.map { .wishing(items: $0) } ?? .sending
        return .sayHead
    }

    package mutating func selected() -> Action {
        guard state == .selecting else { return .nothing }
        state = .sending
        return .read
    }

    /// Empty: that was all. `last`: what came of the whole document then.
    package mutating func read(_ bytes: [UInt8], last: (hash: FileDigest, isUnchanged: Bool)?) -> Action {
        guard state == .sending else { return .nothing }
        guard let last else { return .send(bytes) }
        guard last.isUnchanged else {
            return fail(Failure(.documentChanged, "the document was changed while it was on its way"), says: true)
        }
        state = .ended
        return .finish(last.hash)
    }

    /// Here: it is gone, or cannot be read.
    package mutating func failed(_ failure: Failure) -> Action { fail(failure, says: true) }

    package mutating func lost() -> Action {
        fail(Failure(.streamCut, "the other device did not take all of the document"), says: false)
    }

    private mutating func fail(_ failure: Failure, says: Bool) -> Action {
        guard state != .ended else { return .nothing }
        state = .ended
        return .fail(failure, says: says)
    }
}
