// SPDX-License-Identifier: Apache-2.0

/// What a message from somebody on the bus may be. The bus itself lets 128 MiB pass.
package enum BusLimits {
    /// Containers within one another, variants among them. The bus itself lets 64 pass.
    package static let depth = 40
    /// Values in one message, containers included.
    package static let values = 16_384
    /// Texts and bytes of one message, together, bytes.
    package static let textBytes = 1 << 20
    /// How long an answer is waited for where nothing else is said.
    package static let answerTime = Duration.seconds(25)
}
