// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    package enum Streams: Hashable, Sendable {
        /// Answered with `stream`. `document`: the index of a document for the daemon; nil: a stream between the apps.
        case openStream(ActivityID, ContinuationID, document: UInt32? = nil)
        case stream(StreamToken)
        /// The dialling device gave up; no connection will use the token.
        case streamLost(StreamToken, Failure)
    }
}
