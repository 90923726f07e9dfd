// SPDX-License-Identifier: Apache-2.0

/// Bytes of the longest frames that one end may send. Both ends read the same row.
package struct FrameLimits: Hashable, Sendable {
    /// Before the sender's hello is accepted.
    package let first: Int
    package let later: Int

    private init(first: Int, later: Int) {
        self.first = first
        self.later = later
    }

    private init(every bytes: Int) { self.init(first: bytes, later: bytes) }

    package enum Sender: Hashable, Sendable, CaseIterable {
        case caller
        case answerer

        package var other: Sender { self == .caller ? .answerer : .caller }
    }

    package static func of(_ purpose: ConnectionPurpose, from sender: Sender) -> FrameLimits {
        switch (purpose, sender) {
        case (.session, .caller), (.session, .answerer): greeted
        case (.stream, .caller), (.stream, .answerer): FrameLimits(every: Limits.streamFrameBytes)
        case (.enroll, .caller): FrameLimits(every: Limits.joinRequestBytes)
        case (.enroll, .answerer): FrameLimits(every: Limits.enrollFrameBytes)
        }
    }

    package static let local = greeted
    package static let document = FrameLimits(every: Limits.documentFrameBytes)

    private static let greeted = FrameLimits(first: Limits.helloFrameBytes, later: Limits.frameBytes)
}
