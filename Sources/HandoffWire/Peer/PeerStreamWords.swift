// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// How two devices come to a stream between their apps.
    package enum Streams: Hashable, Sendable {
        /// Answered with `stream`.
        case openStream(ActivityID, ContinuationID)
        case stream(StreamToken)
        /// Whoever was to dial for a stream does not: nothing comes with that token any more.
        case streamLost(StreamToken, Failure)
    }
}
