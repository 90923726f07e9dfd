// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension Offer {
    /// The one order of a board, at its origin and at every peer: newest first. No two differ in nothing.
    package static func newestFirst(_ left: Offer, _ right: Offer) -> Bool {
        left.since == right.since ? left.activity < right.activity : left.since > right.since
    }

    /// An offer is gone at the very instant of its expiration date.
    package func isExpired(at wall: WallTime) -> Bool { expires.map { $0 <= wall } ?? false }
}
