// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Bytes of a stream as the hand that read them has them. Another hand of the same kind takes them as they are.
package protocol StreamPiece {
    var byteCount: Int { get }
    /// A copy.
    var bytes: [UInt8] { get }
}

extension [UInt8]: StreamPiece {
    package var byteCount: Int { count }
    package var bytes: [UInt8] { self }
}

/// What carries out for one link what `StreamCarriage` says, and tells it what happens there. The rest of a link, and how
/// two are joined, is the same for all kinds of hands: any two can be joined.
///
/// A hand says first what it is (`begin`). From then on it tells each event as it comes, on the loop, also in the middle of
/// something that it was told to do; what follows from that it is told when it has returned.
package protocol StreamHand: StreamLink {
    /// Set by `begin`, and by whoever joins it. Nil: not begun.
    var place: StreamPlace? { get set }
    var now: Instant { get }

    func sayReady()
    /// Says why, and then ends the connection in order.
    func sayNo(_ failure: Failure)
    /// It may read once, at most `budget.piece` bytes.
    func read()
    /// `written` is told when they are on their way.
    func write(_ piece: any StreamPiece)
    func flush()
    /// `writingShut` is told when the end, and all before it, is on its way.
    func shutWriting()
    func shutReading()
    func close()
    func closeDelivered()
    /// `closed` follows, but not within this call.
    func cut()
    func watch()
    /// Calls `deadlineReached` then. A later call replaces an earlier one; nil: not any more.
    func wake(at instant: Instant?)
    /// Once: how much it may read is by that from now on.
    func share(_ budget: StreamBudget)
    /// When whatever is under way has returned.
    func later(_ work: @escaping () -> Void)
}

/// Where a link belongs to.
package struct StreamPlace {
    let stream: CarriedStream
    let side: StreamSide
}

extension StreamHand {
    /// `isReady`: the other end was told before that the stream is there, and may send.
    package func begin(_ party: StreamParty, isReady: Bool) {
        place = StreamPlace(stream: CarriedStream(self, party, isReady: isReady), side: .first)
    }

    // MARK: What happens

    package func readingWanted() { happened { $0.readingWanted($1) } }
    package func received(_ piece: any StreamPiece) {
        let now = now
        happened { $0.received(piece, byteCount: piece.byteCount, from: $1, at: now) }
    }
    package func receivedAll() { happened { $0.receivedAll(from: $1) } }
    package func written(_ byteCount: Int) { happened { $0.written(byteCount, on: $1) } }
    package func inputEnded() { happened { $0.inputEnded(from: $1) } }
    package func writingShut(_ failure: Failure?) { happened { $0.writingShut($1, failure) } }
    package func broke(_ failure: Failure) { happened { $0.broke($1, failure) } }
    package func closed() { happened { $0.closed($1) } }
    package func deadlineReached() {
        let now = now
        happened { carriage, _ in carriage.deadlineReached(at: now) }
    }

    /// It would read, and may not now.
    package var isHeldBack: Bool { place.map { $0.stream.isHeldBack($0.side) } ?? false }

    private func happened(
        _ event: (inout StreamCarriage<any StreamPiece>, StreamSide) -> [StreamCarriageAction<any StreamPiece>]
    ) {
        guard let place else { return }
        place.stream.happened { event(&$0, place.side) }
    }

    // MARK: What the owner asks

    package func refuse(_ failure: Failure) {
        let now = now
        happened { carriage, _ in carriage.refused(failure, at: now) }
    }

    package func join(_ other: any StreamLink, within budget: StreamBudget) {
        guard let other = other as? any StreamHand, let place, let theirs = other.place else {
            preconditionFailure("both links have to have begun")
        }
        guard place.stream.join(theirs.stream, within: budget) else {
            // One has left, and its observer is being told.
            let failure = Failure(.streamCut, "one end has left before the stream was ready")
            cut(failure)
            other.cut(failure)
            return
        }
    }

    package func confirmEnd() { happened { $0.endConfirmed($1) } }
    package func cut(_ failure: Failure) { happened { $0.cut(failure, at: $1) } }
}
