// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One stream between two links; it begins with one.
///
/// The directions end independently. An end is valid once the stream's owner has confirmed it. Afterwards, a cut is
/// reported only if the other direction is open.
///
///     waiting --joined--> joined --both directions settled, or a cut--> over
///             --refused--> refused --its connection is closed--> over
struct StreamCarriage<Piece>: ~Copyable {
    typealias Action = StreamCarriageAction<Piece>

    enum Inflow {
        /// Can transition to: ended, lost.
        case open
        /// All bytes were given to the other link; unconfirmed. Can transition to: confirmed, lost.
        case ended
        /// The other link's writing side is shutting. Can transition to: shut, lost.
        case confirmed
        /// Passed on, with all bytes. Final.
        case shut
        /// No destination. Final.
        case lost

        var isSettled: Bool { self == .shut || self == .lost }
    }

    struct End {
        let party: StreamParty
        /// The other end may already send.
        let isReady: Bool
        var inflow = Inflow.open
        var isGone = false
        var failure: Failure?
        var byteCount: UInt64 = 0
        /// Given to it to write, and not passed on.
        var unwritten = 0
        var wantsToRead = false
        var held: [Piece] = []
        var heldBytes = 0
        var isEndHeld = false
    }

    struct Pair {
        var first: End
        var second: End

        subscript(_ side: StreamSide) -> End {
            get { side == .first ? first : second }
            set { if side == .first { first = newValue } else { second = newValue } }
        }
    }

    enum State {
        /// Can transition to: joined, refused, over.
        case waiting(End)
        /// Can transition to: over.
        case refused(Failure, until: Instant?)
        /// Can transition to: over.
        case joined(Pair)
        /// The owner was notified; the connections are finishing. Final.
        case over
    }

    /// For the other end to read a refusal.
    static var lingering: Duration { .seconds(2) }

    var state: State

    /// If ready, holds its bytes until the stream is joined.
    init(_ party: StreamParty, isReady: Bool) {
        state = .waiting(End(party: party, isReady: isReady))
    }

    var isWaiting: Bool { if case .waiting = state { true } else { false } }
    var isJoined: Bool { if case .joined = state { true } else { false } }

    var nextDeadline: Instant? {
        switch state {
        case .refused(_, let until): until
        case .waiting, .joined, .over: nil
        }
    }

    var heldBytes: Int {
        switch state {
        case .waiting(let end): end.heldBytes
        case .joined(let pair): pair.first.unwritten + pair.second.unwritten
        case .refused, .over: 0
        }
    }

    // MARK: Joining

    /// For another stream. Nil unless it is waiting.
    mutating func handedOver() -> End? {
        guard case .waiting(let end) = state else { return nil }
        state = .over
        return end
    }

    mutating func joined(with second: End) -> [Action] {
        guard case .waiting(let first) = state else { return [] }
        var pair = Pair(first: first, second: second)
        var actions: [Action] = []
        for side in StreamSide.allCases where !pair[side].isReady { actions.append(.sayReady(side)) }
        for side in StreamSide.allCases {
            for piece in pair[side].held { actions.append(.write(piece, to: side.other)) }
            pair[side.other].unwritten += pair[side].heldBytes
            pair[side].byteCount += UInt64(pair[side].heldBytes)
            pair[side].held = []
            pair[side].heldBytes = 0
            actions.append(.flush(side.other))
            if pair[side].isEndHeld { actions += inputEnded(from: side, in: &pair) }
            actions += readingResumed(side, in: &pair)
            if pair[side].party == .device { actions.append(.watch(side)) }
        }
        state = .joined(pair)
        return actions
    }

    /// Only before it is joined.
    mutating func refused(_ failure: Failure, at now: Instant) -> [Action] {
        guard case .waiting(let end) = state else { return [] }
        guard !end.isReady else { return cut(failure) }
        state = .refused(failure, until: now.advanced(by: Self.lingering))
        // Ignores bytes up to the other side's goodbye.
        return [.sayNo(.first, failure)] + (end.wantsToRead ? [.read(.first)] : [])
    }

    mutating func deadlineReached(at now: Instant) -> [Action] {
        guard case .refused(let failure, let until?) = state, until <= now else { return [] }
        state = .refused(failure, until: nil)
        return [.cut(.first)]
    }

    // MARK: Bytes

    /// `.read` follows now or later.
    mutating func readingWanted(_ side: StreamSide) -> [Action] {
        switch state {
        case .waiting(var end):
            guard end.isReady else { return [.read(side)] }
            end.wantsToRead = true
            state = .waiting(end)
            return []
        case .refused: return [.read(side)]
        case .joined(var pair):
            pair[side].wantsToRead = true
            let actions = readingResumed(side, in: &pair)
            state = .joined(pair)
            return actions
        case .over: return []
        }
    }

    func isHeldBack(_ side: StreamSide) -> Bool {
        switch state {
        case .waiting(let end): end.wantsToRead
        case .joined(let pair): pair[side].wantsToRead
        case .refused, .over: false
        }
    }

    mutating func received(
        _ piece: Piece, byteCount: Int, from side: StreamSide, at now: Instant
    ) -> [Action] {
        switch state {
        case .waiting(var end):
            guard end.isReady else { return refused(.bytesBeforeAnswer, at: now) }
            end.held.append(piece)
            end.heldBytes += byteCount
            state = .waiting(end)
            return []
        case .joined(var pair):
            guard pair[side].inflow == .open else { return [] }
            guard !pair[side.other].isGone else {
                return lost(side, Failure(.streamCut, "the receiver of the data has left"))
            }
            pair[side].byteCount += UInt64(byteCount)
            pair[side.other].unwritten += byteCount
            state = .joined(pair)
            return [.write(piece, to: side.other)]
        case .refused, .over: return []
        }
    }

    func receivedAll(from side: StreamSide) -> [Action] {
        if case .joined = state { [.flush(side.other)] } else { [] }
    }

    /// `byteCount` bytes were passed on, or lost.
    mutating func written(_ byteCount: Int, on side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state else { return [] }
        pair[side].unwritten = max(0, pair[side].unwritten - byteCount)
        let actions = readingResumed(side.other, in: &pair)
        state = .joined(pair)
        return actions
    }

    /// One piece at a time. Continues if the other link is gone, so that further bytes reveal the loss.
    func readingResumed(_ side: StreamSide, in pair: inout Pair) -> [Action] {
        guard pair[side].wantsToRead else { return [] }
        let other = pair[side.other]
        guard other.isGone ? pair[side].inflow != .lost : other.unwritten == 0 else { return [] }
        pair[side].wantsToRead = false
        return [.read(side)]
    }

    func inputEnded(from side: StreamSide, in pair: inout Pair) -> [Action] {
        guard pair[side].inflow == .open else { return [] }
        pair[side].inflow = .ended
        return [.tellEnded(side, after: pair[side].byteCount)]
    }
}

extension Failure {
    package static var bytesBeforeAnswer: Failure { Failure(.malformed, "bytes before the answer") }
}

enum StreamSide: Hashable, Sendable, CaseIterable {
    case first, second

    var other: StreamSide { self == .first ? .second : .first }
}

package enum StreamParty: Hashable, Sendable {
    case app
    case device
    case daemon

    package var lost: Failure.Code {
        switch self {
        case .app: .appGone
        case .device: .deviceLost
        case .daemon: .cancelled
        }
    }
}

enum StreamCarriageAction<Piece> {
    case sayReady(StreamSide)
    /// Also ends the connection. `closed` follows.
    case sayNo(StreamSide, Failure)
    /// Once. `received` may follow, and then `readingWanted`.
    case read(StreamSide)
    /// `written` follows.
    case write(Piece, to: StreamSide)
    case flush(StreamSide)
    case shutWriting(StreamSide)
    /// Its bytes have no destination.
    case shutReading(StreamSide)
    /// After all bytes are passed on. `closed` follows, as after the next two.
    case close(StreamSide)
    /// After all bytes are delivered: the other device still sends, so its kernel would discard bytes it has not passed
    /// on.
    case closeDelivered(StreamSide)
    /// Now, without a goodbye.
    case cut(StreamSide)
    /// Monitor the other device: `broke` reports that it is gone.
    case watch(StreamSide)
    case tellEnded(StreamSide, after: UInt64)
    /// Once, when this link is over; nil if both directions ended in order.
    case tellClosed(StreamSide, Failure?)
}

extension StreamCarriageAction: Equatable where Piece: Equatable {}
