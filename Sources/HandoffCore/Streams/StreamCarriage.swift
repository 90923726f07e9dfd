// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The bytes of one stream on this device, between two links: what may be read, what is written where, when a direction
/// has ended and when it was cut. Begins with one link; `joined` brings the other.
///
/// The two directions end each by itself. One that ended in order stays so, whatever becomes of the other. An end counts
/// when whoever owns the stream has confirmed it, and after that a cut is told only where the other direction is open.
///
///     waiting --joined--> joined --both directions settled, or a cut--> over
///             --refused--> refused --its connection is closed--> over
///
/// `Piece` is what carries bytes.
package struct StreamCarriage<Piece>: ~Copyable {
    package typealias Action = StreamCarriageAction<Piece>

    /// What a link's other end sends, and what became of it.
    enum Inflow {
        /// Can transition to: ended, lost.
        case open
        /// All of it was given to the other link to write; nobody has said that it was meant. Can transition to:
        /// confirmed, lost.
        case ended
        /// The other link's writing side is being shut. Can transition to: shut, lost.
        case confirmed
        /// The end, and all before it, is on its way from here. It stays.
        case shut
        /// Nobody takes it. It stays.
        case lost

        var isSettled: Bool { self == .shut || self == .lost }
    }

    /// One link, and what comes from there.
    package struct End {
        let party: StreamParty
        /// The other end was told before we came that the stream is there: it may send.
        let isReady: Bool
        var inflow = Inflow.open
        /// Its connection is closed.
        var isGone = false
        /// What went wrong first.
        var failure: Failure?
        /// What came.
        var byteCount: UInt64 = 0
        /// What was given to it to write, and is not on its way yet.
        var unwritten = 0
        /// It would read, and may not yet.
        var wantsToRead = false
        /// What came before it was joined.
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
        /// For the other link. Can transition to: joined, refused, over.
        case waiting(End)
        /// The refusal is on its way. Can transition to: over.
        case refused(Failure, until: Instant?)
        /// Carries bytes. Can transition to: over.
        case joined(Pair)
        /// Whoever owns it was told. What is left of the connections is on its way out. It stays.
        case over
    }

    /// After a refusal: how long the other end may take to read it.
    package static var lingering: Duration { .seconds(2) }

    var state: State

    /// `isReady`: the other end may send from now on; what it sends is kept until there is somebody to have it.
    package init(_ party: StreamParty, isReady: Bool) {
        state = .waiting(End(party: party, isReady: isReady))
    }

    package var isWaiting: Bool { if case .waiting = state { true } else { false } }
    package var isJoined: Bool { if case .joined = state { true } else { false } }

    package var nextDeadline: Instant? {
        switch state {
        case .refused(_, let until): until
        case .waiting, .joined, .over: nil
        }
    }

    /// Bytes that came and are not on their way again.
    package var heldBytes: Int {
        switch state {
        case .waiting(let end): end.heldBytes
        case .joined(let pair): pair.first.unwritten + pair.second.unwritten
        case .refused, .over: 0
        }
    }

    // MARK: Joining

    /// Takes the only link out, to be the second of another stream. Nil unless it waits.
    package mutating func handedOver() -> End? {
        guard case .waiting(let end) = state else { return nil }
        state = .over
        return end
    }

    /// Both links are there.
    package mutating func joined(with second: End) -> [Action] {
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

    /// Whoever owns it does not want it. Only before it is joined.
    package mutating func refused(_ failure: Failure, at now: Instant) -> [Action] {
        guard case .waiting(let end) = state else { return [] }
        guard !end.isReady else { return cut(failure) }
        state = .refused(failure, until: now.advanced(by: Self.lingering))
        // What comes is passed over, up to the other side's goodbye.
        return [.sayNo(.first, failure)] + (end.wantsToRead ? [.read(.first)] : [])
    }

    package mutating func deadlineReached(at now: Instant) -> [Action] {
        guard case .refused(let failure, let until?) = state, until <= now else { return [] }
        state = .refused(failure, until: nil)
        return [.cut(.first)]
    }

    // MARK: Bytes

    /// The link is ready to read once more. `.read` comes now, or later.
    package mutating func readingWanted(_ side: StreamSide) -> [Action] {
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

    /// It may not read now.
    package func isHeldBack(_ side: StreamSide) -> Bool {
        switch state {
        case .waiting(let end): end.wantsToRead
        case .joined(let pair): pair[side].wantsToRead
        case .refused, .over: false
        }
    }

    package mutating func received(
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
                return lost(side, Failure(.streamCut, "who was to get the bytes has left"))
            }
            pair[side].byteCount += UInt64(byteCount)
            pair[side.other].unwritten += byteCount
            state = .joined(pair)
            return [.write(piece, to: side.other)]
        case .refused, .over: return []
        }
    }

    /// No more is there to read for now.
    package func receivedAll(from side: StreamSide) -> [Action] {
        if case .joined = state { [.flush(side.other)] } else { [] }
    }

    /// So many of the bytes that a link was given are on their way, or lost with it.
    package mutating func written(_ byteCount: Int, on side: StreamSide) -> [Action] {
        guard case .joined(var pair) = state else { return [] }
        pair[side].unwritten = max(0, pair[side].unwritten - byteCount)
        let actions = readingResumed(side.other, in: &pair)
        state = .joined(pair)
        return actions
    }

    /// One piece at a time: no more is read while part of the last one waits. For a link that is gone there is nothing to
    /// wait for; what still comes finds that out.
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
