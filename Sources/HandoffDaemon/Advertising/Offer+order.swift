// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

extension Offer {
    /// The order of a board at its origin and on every peer: newest first. It is total.
    static func newestFirst(_ left: Offer, _ right: Offer) -> Bool {
        left.since == right.since ? left.activity < right.activity : left.since > right.since
    }

    /// True from the exact instant of the expiration date.
    func isExpired(at wall: WallTime) -> Bool { expires.map { $0 <= wall } ?? false }
}
