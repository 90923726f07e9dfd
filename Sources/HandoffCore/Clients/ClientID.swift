// SPDX-License-Identifier: Apache-2.0

/// A program on the daemon's socket, from its hello to its end. No number comes twice while a daemon runs, so what is still
/// kept of one that left never means another.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    /// None: what the daemon does of its own accord.
    package static let daemon = ClientID(0)
}
