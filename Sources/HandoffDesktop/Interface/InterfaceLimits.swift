// SPDX-License-Identifier: Apache-2.0

/// Limits for programs on the user's bus. Beyond them, the answer is `LimitsExceeded`. `BusLimits` limits the calls.
enum InterfaceLimits {
    /// Programs that take part: each needs a connection to the daemon, and a thread.
    static let participants = 64
    /// Connections of one process that take part.
    static let participantsPerProcess = 8
    /// Simultaneous calls of one caller that wait for the daemon.
    static let questions = 32
    /// Simultaneous continuations that one caller follows.
    static let continuations = 8
    /// Simultaneous setups of one program's streams; each needs a thread.
    static let openingStreams = 8
    /// Unless the daemon gives another limit. The daemon waits as long.
    static let answerTime = Duration.seconds(10)
}
