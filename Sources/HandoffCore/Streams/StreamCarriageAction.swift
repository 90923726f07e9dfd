// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One of the two links of a stream on this device.
package enum StreamSide: Hashable, Sendable, CaseIterable {
    case first, second

    package var other: StreamSide { self == .first ? .second : .first }
}

/// Who is at the other end of a link.
package enum StreamParty: Hashable, Sendable {
    case app
    case device
    /// This daemon itself.
    case daemon

    /// What it is called that it left before the stream was there.
    package var lost: Failure.Code {
        switch self {
        case .app: .appGone
        case .device: .deviceLost
        case .daemon: .cancelled
        }
    }
}

/// What follows from an event of a stream's bytes. Carried out by the hand of that side.
package enum StreamCarriageAction<Piece> {
    /// The stream is there: the other end may send.
    case sayReady(StreamSide)
    /// It does not come about; then the connection ends. `closed` follows.
    case sayNo(StreamSide, Failure)
    /// Once. `received` may follow, and then `readingWanted`.
    case read(StreamSide)
    /// `written` follows.
    case write(Piece, to: StreamSide)
    case flush(StreamSide)
    /// After what was written. `writingShut` follows.
    case shutWriting(StreamSide)
    /// Nobody takes what it sends: let it know.
    case shutReading(StreamSide)
    /// End the connection, once what was written is on its way. `closed` follows, as after the next two.
    case close(StreamSide)
    /// The same once it is delivered: the other device still sends, so its kernel would throw away what it has not passed on.
    case closeDelivered(StreamSide)
    /// End the connection now, without a goodbye.
    case cut(StreamSide)
    /// Look after the other device from now on: `broke` says that it is gone.
    case watch(StreamSide)
    /// Whoever owns the stream hears that what this link's other end sends has come to its end.
    case tellEnded(StreamSide, after: UInt64)
    /// Whoever owns the stream hears that this link is over. Once for each; nil where both directions ended in order.
    case tellClosed(StreamSide, Failure?)
}

extension StreamCarriageAction: Equatable where Piece: Equatable {}
