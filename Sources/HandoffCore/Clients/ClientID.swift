// SPDX-License-Identifier: Apache-2.0

/// Numbers are never reused while a daemon runs, so data kept about a client that left never applies to another.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    /// Not a client: actions that the daemon takes itself.
    package static let daemon = ClientID(0)
}
