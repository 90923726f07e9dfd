// SPDX-License-Identifier: Apache-2.0

/// What programs on the user's bus may have of this one. Who asks for more is answered `LimitsExceeded`. How much they may
/// call: `BusLimits`.
package enum InterfaceLimits {
    /// Programs that take part: each has a connection to the daemon, and a thread.
    package static let participants = 64
    /// Connections of one process that take part.
    package static let participantsPerProcess = 8
    /// Calls of one caller that wait for the daemon at a time.
    package static let questions = 32
    /// Continuations of one caller that it hears of at a time.
    package static let continuations = 8
    /// Streams of one program that are being set up at a time, each with a thread.
    package static let openingStreams = 8
    /// How long a program may take for an answer where the daemon does not say. The daemon waits as long.
    package static let answerTime = Duration.seconds(10)
}
