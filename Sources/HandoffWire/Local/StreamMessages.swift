// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Streams: Hashable, Sendable {
        /// From the continuing client; answered with a ticket.
        case openStream(ContinuationID)
        case streamTicket(StreamTicket)
        case streamWanted(StreamWanted)
        /// The first frame of its own connection.
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

/// Reported by the sender, because a crash closes the stream too.
package struct StreamEnd: Hashable, Sendable {
    package var stream: StreamID
    /// With fewer bytes, the stream was cut.
    package var byteCount: UInt64
    /// The stream was cut, regardless of `byteCount`.
    package var failure: Failure?

    package init(stream: StreamID, byteCount: UInt64, failure: Failure? = nil) {
        self.stream = stream
        self.byteCount = byteCount
        self.failure = failure
    }
}

extension LocalMessage.Streams {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .openStream(let continuation): .openStream(.with { $0.continuation = continuation.bytes.data })
        case .streamTicket(let ticket): .streamTicket(PBStreamTicket(ticket))
        case .streamWanted(let wanted): .streamWanted(PBStreamWanted(wanted))
        case .attachStream(let token): .attachStream(.with { $0.token = token.bytes.data })
        case .streamEnded(let end): .streamEnded(PBStreamEnded(end))
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .openStream(let open): self = .openStream(try ContinuationID(bytes: open.continuation))
        case .streamTicket(let ticket): self = .streamTicket(try StreamTicket(ticket))
        case .streamWanted(let wanted): self = .streamWanted(try StreamWanted(wanted))
        case .attachStream(let attach): self = .attachStream(try StreamToken(bytes: attach.token))
        case .streamEnded(let end): self = .streamEnded(try StreamEnd(end))
        default: return nil
        }
    }
}

extension PBStreamTicket {
    init(_ ticket: StreamTicket) {
        self = .with {
            $0.stream = ticket.stream.bytes.data
            $0.token = ticket.token.bytes.data
        }
    }
}

extension StreamTicket {
    init(_ message: PBStreamTicket) throws(WireError) {
        self.init(stream: try StreamID(bytes: message.stream), token: try StreamToken(bytes: message.token))
    }
}

extension PBStreamWanted {
    init(_ wanted: StreamWanted) {
        self = .with {
            $0.activity = wanted.activity.bytes.data
            $0.continuation = wanted.continuation.bytes.data
            $0.ticket = PBStreamTicket(wanted.ticket)
            $0.deviceName = wanted.deviceName.text
        }
    }
}

extension StreamWanted {
    init(_ message: PBStreamWanted) throws(WireError) {
        self.init(
            activity: try ActivityID(bytes: message.activity),
            continuation: try ContinuationID(bytes: message.continuation), ticket: try StreamTicket(message.ticket),
            deviceName: .name(message.deviceName))
    }
}

extension PBStreamEnded {
    init(_ end: StreamEnd) {
        self = .with {
            $0.stream = end.stream.bytes.data
            $0.bytes = end.byteCount
            if let failure = end.failure { $0.failure = PBFailure(failure) }
        }
    }
}

extension StreamEnd {
    init(_ message: PBStreamEnded) throws(WireError) {
        self.init(
            stream: try StreamID(bytes: message.stream), byteCount: message.bytes,
            failure: message.hasFailure ? Failure(message.failure) : nil)
    }
}
