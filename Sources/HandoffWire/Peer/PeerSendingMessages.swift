// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    package enum Sending: Hashable, Sendable {
        /// Answered with `taken` once the receiver has stored it on disk.
        case sent(SentActivity)
        case taken(ActivityID)
    }
}

package struct SentActivity: Hashable, Sendable {
    /// As listed by the receiver. Its activity id is this send's own, because the live activity may be listed too.
    /// `since`: when it was sent.
    package var offer: Offer
    /// Names no files.
    package var state: CarriedState

    package init(offer: Offer, state: CarriedState) {
        self.offer = offer
        self.state = state
    }
}
