// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Between the two apps of a continuation.
    package enum Streams: Hashable, Sendable {
        /// From the client that continued the activity; answered with a ticket.
        case openStream(ContinuationID)
        case streamTicket(StreamTicket)
        case streamWanted(StreamWanted)
        /// The first frame of a connection of its own.
        case attachStream(StreamToken)
        case streamEnded(StreamEnd)
    }
}

package struct StreamTicket: Hashable, Sendable {
    /// As the client knows it.
    package var stream: StreamID
    package var token: StreamToken

    package init(stream: StreamID, token: StreamToken) {
        self.stream = stream
        self.token = token
    }
}

package struct StreamWanted: Hashable, Sendable {
    package var activity: ActivityID
    package var continuation: ContinuationID
    package var ticket: StreamTicket
    package var deviceName: DisplayText

    package init(activity: ActivityID, continuation: ContinuationID, ticket: StreamTicket, deviceName: DisplayText) {
        self.activity = activity
        self.continuation = continuation
        self.ticket = ticket
        self.deviceName = deviceName
    }
}

/// A sender reports the end, because a crash closes the stream too.
package struct StreamEnd: Hashable, Sendable {
    package var stream: StreamID
    /// If fewer bytes arrived, the stream was cut.
    package var byteCount: UInt64
    /// The stream was cut, regardless of `byteCount`.
    package var failure: Failure?

    package init(stream: StreamID, byteCount: UInt64, failure: Failure? = nil) {
        self.stream = stream
        self.byteCount = byteCount
        self.failure = failure
    }
}
