// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

/// What programs on the user's bus may have of this one. Who asks for more is answered `LimitsExceeded`.
package enum InterfaceLimits {
    /// Programs that have called and are still on the bus.
    package static let callers = 128
    /// Of these, programs that take part: each has a connection to the daemon, and a thread.
    package static let participants = 64
    /// Calls that one caller may make at once, before they are spaced.
    package static let callBurst = 256
    /// From then on one call in so long.
    package static let callSpacing = Duration.milliseconds(2)
    /// Calls of one caller that wait for the daemon at a time.
    package static let questions = 32
    /// Continuations of one caller that it hears of at a time.
    package static let continuations = 8
    /// Streams of one program that are being set up at a time, each with a thread.
    package static let openingStreams = 8
    /// How long a program may take for an answer where the daemon does not say. The daemon waits as long.
    package static let answerTime = Duration.seconds(10)

    static let pace = PaceLimit(burst: callBurst, spacing: callSpacing)
}
