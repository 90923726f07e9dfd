// SPDX-License-Identifier: Apache-2.0

extension PeerMessage {
    /// An activity goes to a device because its user said so.
    package enum Sending: Hashable, Sendable {
        /// Answered with `taken` once it is on disk there.
        case sent(SentActivity)
        case taken(ActivityID)
    }
}

/// An activity with its state, on its way to a chosen device or kept there.
package struct SentActivity: Hashable, Sendable {
    /// As it stands in the lists of that device. Its activity id is this send's own, so that the live activity, which may
    /// be listed beside it, is another one. `since`: when it was sent.
    package var offer: Offer
    /// Names no files.
    package var state: CarriedState

    package init(offer: Offer, state: CarriedState) {
        self.offer = offer
        self.state = state
    }
}
