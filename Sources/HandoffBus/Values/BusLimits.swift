// SPDX-License-Identifier: Apache-2.0

/// What programs on the bus may cost this one. The bus itself lets messages of 128 MiB pass, in any number.
package enum BusLimits {
    /// Containers within one another, variants among them. The bus itself lets 64 pass.
    package static let depth = 40
    /// Values in one message, containers included.
    package static let values = 16_384
    /// Texts and bytes of one message, together, bytes.
    package static let textBytes = 1 << 20
    /// How long an answer is waited for where nothing else is said.
    package static let answerTime = Duration.seconds(25)

    // MARK: Each process, over all its connections

    /// Connections to the bus from which one process may call.
    package static let connectionsPerProcess = 32
    /// Calls and signals that one process may make at once, before they are spaced.
    package static let callBurst = 256
    /// From then on one in so long.
    package static let callSpacing = Duration.milliseconds(2)
    /// What reading its messages may cost at once: a byte of text costs one, a value `valueCost`.
    package static let readingBurst = 8 << 20
    /// From then on a cost of one in so long, which is about 1 MB a second.
    package static let readingSpacing = Duration.microseconds(1)
    /// What a value costs to read beside its text: as much as so many bytes.
    package static let valueCost = 64
    /// A process over its pace is answered so many refusals; then nothing, until it has been silent for `silence`.
    package static let refusals = 256
    package static let silence = Duration.seconds(1)

    // MARK: A connection whose process the bus has not named yet

    /// Its calls that wait until then, and its signals that are read.
    package static let heldCalls = 16
    /// Waiting calls of all such connections.
    package static let heldCallsInAll = 512
    /// Values and bytes of text in a message of such a connection.
    package static let heldValues = 256
    package static let heldTextBytes = 16 << 10

    static let calls = Allowance.Limit(burst: callBurst, spacing: callSpacing)
    static let reading = Allowance.Limit(burst: readingBurst, spacing: readingSpacing)
}
