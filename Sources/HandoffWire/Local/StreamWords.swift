// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// Streams between the two apps of a continuation.
    package enum Streams: Hashable, Sendable {
        /// By whom it was continued; answered with a ticket.
        case openStream(ContinuationID)
        case streamTicket(StreamTicket)
        case streamWanted(StreamWanted)
        /// The first frame of a connection of its own.
        case attachStream(StreamToken)
        case streamEnded(StreamEnd)
    }
}

/// What a client needs to attach to a stream.
package struct StreamTicket: Hashable, Sendable {
    /// How the daemon speaks of the stream to this client.
    package var stream: StreamID
    package var token: StreamToken

    package init(stream: StreamID, token: StreamToken) {
        self.stream = stream
        self.token = token
    }
}

/// The app that continued an activity of this client asks for a stream.
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

/// What the sender of a stream's bytes says before it ends them: a process that dies ends them too.
package struct StreamEnd: Hashable, Sendable {
    package var stream: StreamID
    /// So many in all; if fewer have come, the stream was cut.
    package var byteCount: UInt64
    /// Not nil: the stream was cut, whatever has come.
    package var failure: Failure?

    package init(stream: StreamID, byteCount: UInt64, failure: Failure? = nil) {
        self.stream = stream
        self.byteCount = byteCount
        self.failure = failure
    }
}
