// SPDX-License-Identifier: Apache-2.0

/// Limits for programs on the user's bus. Beyond them, the answer is `LimitsExceeded`. `BusLimits` limits the calls.
package enum InterfaceLimits {
    /// Programs that take part: each needs a connection to the daemon, and a thread.
    package static let participants = 64
    /// Connections of one process that take part.
    package static let participantsPerProcess = 8
    /// Simultaneous calls of one caller that wait for the daemon.
    package static let questions = 32
    /// Simultaneous continuations that one caller follows.
    package static let continuations = 8
    /// Simultaneous setups of one program's streams; each needs a thread.
    package static let openingStreams = 8
    /// Unless the daemon gives another limit. The daemon waits as long.
    package static let answerTime = Duration.seconds(10)
}
