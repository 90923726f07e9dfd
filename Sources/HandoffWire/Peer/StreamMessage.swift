// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf

/// Before the bytes of a stream, on its own connection.
package enum StreamMessage: Hashable, Sendable {
    case hello(StreamHello)
    case ready(version: UInt32)
    case failure(Failure)
}

/// The acceptor checks that the token was issued for these.
package struct StreamHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var token: StreamToken
    package var activity: ActivityID
    package var continuation: ContinuationID

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.stream, token: StreamToken, activity: ActivityID,
        continuation: ContinuationID
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.token = token
        self.activity = activity
        self.continuation = continuation
    }
}

extension StreamMessage {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBStreamFrame()
        switch self {
        case .hello(let hello):
            frame.hello = .with {
                $0.minVersion = hello.minimumVersion
                $0.maxVersion = hello.maximumVersion
                $0.token = hello.token.bytes.data
                $0.activity = hello.activity.bytes.data
                $0.continuation = hello.continuation.bytes.data
            }
        case .ready(let version): frame.ready = .with { $0.version = version }
        case .failure(let failure): frame.failure = PBFailure(failure)
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        switch try PBStreamFrame.decode(bytes).body {
        case .hello(let message)?:
            var hello = StreamHello(
                token: try StreamToken(bytes: message.token), activity: try ActivityID(bytes: message.activity),
                continuation: try ContinuationID(bytes: message.continuation))
            hello.minimumVersion = message.minVersion
            hello.maximumVersion = message.maxVersion
            self = .hello(hello)
        case .ready(let ready)?: self = .ready(version: ready.version)
        case .failure(let failure)?: self = .failure(Failure(failure))
        case nil: throw WireError(.missingField, "a stream's frame is empty")
        }
    }
}

extension PeerMessage {
    package enum Streams: Hashable, Sendable {
        /// Answered with `stream`. `document`: for the daemon; nil: between the apps.
        case openStream(ActivityID, ContinuationID, document: UInt32? = nil)
        case stream(StreamToken)
        /// The dialling device gave up.
        case streamLost(StreamToken, Failure)
    }
}

extension PeerMessage.Streams {
    var wire: PBPeerFrame.OneOf_Body {
        switch self {
        case .openStream(let activity, let continuation, let document):
            .openStream(
                .with {
                    $0.activity = activity.bytes.data
                    $0.continuation = continuation.bytes.data
                    if let document { $0.document = document }
                })
        case .stream(let token): .stream(.with { $0.token = token.bytes.data })
        case .streamLost(let token, let failure):
            .streamLost(
                .with {
                    $0.token = token.bytes.data
                    $0.why = PBFailure(failure)
                })
        }
    }

    init?(_ body: PBPeerFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .openStream(let open):
            self = .openStream(
                try ActivityID(bytes: open.activity), try ContinuationID(bytes: open.continuation),
                document: open.hasDocument ? open.document : nil)
        case .stream(let grant): self = .stream(try StreamToken(bytes: grant.token))
        case .streamLost(let loss): self = .streamLost(try StreamToken(bytes: loss.token), Failure(loss.why))
        default: return nil
        }
    }
}
