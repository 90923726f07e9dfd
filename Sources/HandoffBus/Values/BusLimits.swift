// SPDX-License-Identifier: Apache-2.0

/// The bus itself permits any number of messages of 128 MiB.
package enum BusLimits {
    /// Nested containers, including variants. The bus itself permits 64.
    package static let depth = 40
    /// Values in one message, including containers.
    package static let values = 16_384
    /// Together, bytes.
    static let textBytes = 1 << 20
    package static let answerTime = Duration.seconds(25)

    // MARK: Per process, over all its connections

    static let connectionsPerProcess = 32
    /// Calls and signals of one process before they are spaced.
    package static let callBurst = 256
    /// The later interval.
    package static let callSpacing = Duration.milliseconds(2)
    /// Before it is limited: a byte of text costs one, a value `valueCost`.
    static let readingBurst = 8 << 20
    /// The later interval per unit of cost, about 1 MB a second.
    static let readingSpacing = Duration.microseconds(1)
    /// Apart from its text, bytes.
    static let valueCost = 64
    /// For a process over its limit. Then it gets no answers until it is silent for `silence`.
    package static let refusals = 256
    static let silence = Duration.seconds(1)

    // MARK: A connection whose process is not known yet

    /// Its held calls, and the signals that are read.
    static let heldCalls = 16
    /// Held calls of all such connections.
    static let heldCallsInAll = 512
    /// Values and bytes of text in a message of such a connection.
    static let heldValues = 256
    static let heldTextBytes = 16 << 10

    static let calls = Allowance.Limit(burst: callBurst, spacing: callSpacing)
    static let reading = Allowance.Limit(burst: readingBurst, spacing: readingSpacing)
}
