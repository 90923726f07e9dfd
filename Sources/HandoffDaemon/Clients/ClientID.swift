// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// Numbers are never reused while a daemon runs, so data kept about a client that left never applies to another.
struct ClientID: Hashable, Sendable {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    /// Not a client: actions that the daemon takes itself.
    static let daemon = ClientID(0)
}
