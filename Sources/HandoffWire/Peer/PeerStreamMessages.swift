// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PeerMessage {
    package enum Streams: Hashable, Sendable {
        /// Answered with `stream`. `document`: the index of a document for the daemon; nil: a stream between the apps.
        case openStream(ActivityID, ContinuationID, document: UInt32? = nil)
        case stream(StreamToken)
        /// The dialling device gave up; no connection will use the token.
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
