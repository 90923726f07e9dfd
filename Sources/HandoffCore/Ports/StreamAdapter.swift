// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Bytes as an adapter read them. An adapter of the same kind takes them without a copy.
package protocol StreamPiece {
    var byteCount: Int { get }
    var bytes: [UInt8] { get }
}

extension [UInt8]: StreamPiece {
    package var byteCount: Int { count }
    package var bytes: [UInt8] { self }
}

/// Carries out actions of `StreamCarriage` on one link. Any two adapters can be joined.
///
/// An adapter first calls `begin`. Then it reports each event immediately, on the loop, even while it carries out an
/// action; the resulting actions follow once it has returned.
package protocol StreamAdapter: StreamLink {
    /// Set by `begin`, and by the stream that it joins.
    var place: StreamPlace? { get set }
    var now: Instant { get }

    func sayReady()
    func sayNo(_ failure: Failure)
    /// Allows one read of at most `budget.piece` bytes.
    func read()
    /// `written` follows when the bytes are on their way.
    func write(_ piece: any StreamPiece)
    func flush()
    /// `writingShut` follows when the end and all bytes before it are on their way.
    func shutWriting()
    func shutReading()
    func close()
    func closeDelivered()
    /// `closed` follows, not within this call.
    func cut()
    func watch()
    /// Calls `deadlineReached`. A later call replaces an earlier one; nil cancels it.
    func wake(at instant: Instant?)
    /// Once. Limits the size of reads.
    func share(_ budget: StreamBudget)
    /// After the present event.
    func later(_ work: @escaping () -> Void)
}

package struct StreamPlace {
    let stream: CarriedStream
    let side: StreamSide
}

extension StreamAdapter {
    package func begin(_ party: StreamParty, isReady: Bool) {
        place = StreamPlace(stream: CarriedStream(self, party, isReady: isReady), side: .first)
    }

    // MARK: Events

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

    package var isHeldBack: Bool { place.map { $0.stream.isHeldBack($0.side) } ?? false }

    private func happened(
        _ event: (inout StreamCarriage<any StreamPiece>, StreamSide) -> [StreamCarriageAction<any StreamPiece>]
    ) {
        guard let place else { return }
        place.stream.happened { event(&$0, place.side) }
    }

    // MARK: Calls of the owner

    package func refuse(_ failure: Failure) {
        let now = now
        happened { carriage, _ in carriage.refused(failure, at: now) }
    }

    package func join(_ other: any StreamLink, within budget: StreamBudget) {
        guard let other = other as? any StreamAdapter, let place, let theirs = other.place else {
            preconditionFailure("both links must have started")
        }
        guard place.stream.join(theirs.stream, within: budget) else {
            let failure = Failure(.streamCut, "an end left before the stream was ready")
            cut(failure)
            other.cut(failure)
            return
        }
    }

    package func confirmEnd() { happened { $0.endConfirmed($1) } }
    package func cut(_ failure: Failure) { happened { $0.cut(failure, at: $1) } }
}

/// Carries one stream, from an app or to another device. One frame in each direction sets it up; a peer that sends
/// bytes earlier is cut off. A stream that ends in the daemon is a `DaemonStreamEnd`. Called on the daemon's loop.
package protocol StreamLink: AnyObject {
    /// Held weakly.
    var observer: (any StreamLinkObserver)? { get set }
    /// Sends the reason and closes. `streamLinkClosed` follows.
    func refuse(_ failure: Failure)
    /// Sends ready on both links, if due, and passes the bytes of each to the other. A slow reader holds the other
    /// back. Once, on either link. All streams share `budget`.
    func join(_ other: any StreamLink, within budget: StreamBudget)
    /// After `streamBytesEnded`: this link's bytes are complete, and end for the other side too. Confirmed bytes arrive
    /// even if the other direction breaks.
    func confirmEnd()
    /// Ends both links now; neither side mistakes it for the end of the bytes. Confirmed bytes on their way are lost.
    /// `streamLinkClosed` follows on both.
    func cut(_ failure: Failure)
}

/// Never called during a call to the link.
package protocol StreamLinkObserver: AnyObject {
    /// The joined link has all bytes from this link's peer. A device ends its bytes deliberately; an app's process may
    /// have crashed.
    func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64)
    /// Once. Nil `failure`: both directions ended in order.
    func streamLinkClosed(_ link: any StreamLink, failure: Failure?)
}

extension ClientListenerHandler {
    package func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        link.refuse(Failure(.unimplemented, "no streams here"))
    }
}
