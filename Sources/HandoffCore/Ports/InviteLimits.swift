// SPDX-License-Identifier: Apache-2.0

package enum InviteLimits {
    package static let lifetime = Duration.seconds(300)
    /// Bounds the cost of guessing a 120-bit code. With a small number, an outsider could end any invite.
    package static let wrongTries = 4096
    package static let triesPerSource = PaceLimit(burst: 8, spacing: .seconds(2))
    /// The longest inactive is dropped.
    package static let sources = 256
    /// How long the code of an ended invite yields the reason.
    package static let memory = Duration.seconds(300)
    /// How long the code of any invite yields an answer.
    package static let callMemory = Duration.seconds(3600)
    /// Answered codes; the oldest is dropped.
    package static let codes = 16
    /// From a correct code, perhaps past the invite's lifetime.
    package static let decision = Duration.seconds(120)
    /// A man in the middle has one chance in a million at each question.
    package static let questions = 3
}

package enum JoinLimits {
    package static let search = Duration.seconds(10)
    package static let answer = Duration.seconds(10)
    package static let decision = InviteLimits.decision + .seconds(10)
}
