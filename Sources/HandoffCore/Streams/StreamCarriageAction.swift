// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

enum StreamSide: Hashable, Sendable, CaseIterable {
    case first, second

    var other: StreamSide { self == .first ? .second : .first }
}

package enum StreamParty: Hashable, Sendable {
    case app
    case device
    case daemon

    /// The failure code if it leaves before the stream is joined.
    package var lost: Failure.Code {
        switch self {
        case .app: .appGone
        case .device: .deviceLost
        case .daemon: .cancelled
        }
    }
}

/// An action that follows from an event of a stream's bytes. The adapter of that side carries it out.
enum StreamCarriageAction<Piece> {
    case sayReady(StreamSide)
    /// The stream is refused, and the connection then ends. `closed` follows.
    case sayNo(StreamSide, Failure)
    /// Read once. `received` may follow, and then `readingWanted`.
    case read(StreamSide)
    /// `written` follows.
    case write(Piece, to: StreamSide)
    case flush(StreamSide)
    /// After the bytes written before. `writingShut` follows.
    case shutWriting(StreamSide)
    /// Its bytes have no destination: let it know.
    case shutReading(StreamSide)
    /// End the connection, once all bytes are passed on. `closed` follows, as after the next two.
    case close(StreamSide)
    /// The same, once the bytes are delivered: the other device still sends, so its kernel would discard bytes it has
    /// not passed on.
    case closeDelivered(StreamSide)
    /// End the connection now, without a goodbye.
    case cut(StreamSide)
    /// Monitor the other device from now on: `broke` reports that it is gone.
    case watch(StreamSide)
    case tellEnded(StreamSide, after: UInt64)
    /// Notify the stream's owner that this link is over. Once for each; nil if both directions ended in order.
    case tellClosed(StreamSide, Failure?)
}

extension StreamCarriageAction: Equatable where Piece: Equatable {}
