// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// How two devices come to a stream between their apps.
    package enum Streams: Hashable, Sendable {
        /// Answered with `stream`. `document`: the index of a reference, whose bytes are wanted; the stream ends in the
        /// daemons. Nil: a stream between the apps.
        case openStream(ActivityID, ContinuationID, document: UInt32? = nil)
        case stream(StreamToken)
        /// Whoever was to dial for a stream does not: nothing comes with that token any more.
        case streamLost(StreamToken, Failure)
    }
}
