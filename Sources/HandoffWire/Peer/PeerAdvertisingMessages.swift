// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    package enum Advertising: Hashable, Sendable {
        case boardSnapshot(BoardSnapshot)
        case boardDelta(BoardDelta)
        /// Answered with `boardSnapshot`.
        case boardRequest
    }
}

/// Newest first.
package struct BoardSnapshot: Hashable, Sendable {
    package var revision: UInt64
    package var offers: [Offer]

    package init(revision: UInt64, offers: [Offer]) {
        self.revision = revision
        self.offers = offers
    }
}

/// From `revision - 1` to `revision`.
package struct BoardDelta: Hashable, Sendable {
    package var revision: UInt64
    /// Newest first. Replaces offers that are on the board; `since` gives each its place.
    package var upserted: [Offer]
    package var withdrawn: [ActivityID]

    package init(revision: UInt64, upserted: [Offer] = [], withdrawn: [ActivityID] = []) {
        self.revision = revision
        self.upserted = upserted
        self.withdrawn = withdrawn
    }
}
