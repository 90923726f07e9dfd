// SPDX-License-Identifier: Apache-2.0

/// The longest frames that one end of a connection sends, and so the longest that the other end accepts.
///
/// Both ends read the same row: one as the sender, the other as the receiver. So a limit cannot differ between them.
package struct FrameLimits: Hashable, Sendable {
    /// The first frame, which is sent before the sender's hello was accepted, bytes.
    package let first: Int
    /// Every later frame, bytes.
    package let later: Int

    private init(first: Int, later: Int) {
        self.first = first
        self.later = later
    }

    private init(every bytes: Int) { self.init(first: bytes, later: bytes) }

    package enum Sender: Hashable, Sendable, CaseIterable {
        /// The end that dialled.
        case caller
        /// The end that accepted the connection.
        case answerer

        package var other: Sender { self == .caller ? .answerer : .caller }
    }

    /// The limits of what `sender` sends on a connection between devices.
    package static func of(_ purpose: ConnectionPurpose, from sender: Sender) -> FrameLimits {
        switch (purpose, sender) {
        case (.session, .caller), (.session, .answerer): greeted
        case (.stream, .caller), (.stream, .answerer): FrameLimits(every: Limits.streamFrameBytes)
        // The joining device has proved nothing yet. The member answers with the whole roster.
        case (.enroll, .caller): FrameLimits(every: Limits.joinRequestBytes)
        case (.enroll, .answerer): FrameLimits(every: Limits.enrollFrameBytes)
        }
    }

    /// The limits of both ends of the local socket.
    package static let local = greeted
    /// The limits of both ends on the stream of a document.
    package static let document = FrameLimits(every: Limits.documentFrameBytes)

    private static let greeted = FrameLimits(first: Limits.helloFrameBytes, later: Limits.frameBytes)
}
