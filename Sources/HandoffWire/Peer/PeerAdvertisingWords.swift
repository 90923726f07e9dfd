// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// What a device offers.
    package enum Advertising: Hashable, Sendable {
        case boardSnapshot(BoardSnapshot)
        case boardDelta(BoardDelta)
        /// Answered with `boardSnapshot`.
        case boardRequest
    }
}

/// All of a board, newest first.
package struct BoardSnapshot: Hashable, Sendable {
    package var revision: UInt64
    package var offers: [Offer]

    package init(revision: UInt64, offers: [Offer]) {
        self.revision = revision
        self.offers = offers
    }
}

/// A board's change from `revision - 1` to `revision`.
package struct BoardDelta: Hashable, Sendable {
    package var revision: UInt64
    /// Newest first. An offer already on the board is replaced; each goes to the place its `since` gives it.
    package var upserted: [Offer]
    package var withdrawn: [ActivityID]

    package init(revision: UInt64, upserted: [Offer] = [], withdrawn: [ActivityID] = []) {
        self.revision = revision
        self.upserted = upserted
        self.withdrawn = withdrawn
    }
}
