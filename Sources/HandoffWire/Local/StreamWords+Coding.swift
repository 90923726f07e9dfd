// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

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
