// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PeerMessage {
    package enum Sending: Hashable, Sendable {
        /// Answered with `taken` once stored on disk.
        case sent(SentActivity)
        case taken(ActivityID)
    }
}

package struct SentActivity: Hashable, Sendable {
    /// The activity id is this send's own: the live activity may be listed too. `since`: when it was sent.
    package var offer: Offer
    /// Names no files.
    package var state: CarriedState

    package init(offer: Offer, state: CarriedState) {
        self.offer = offer
        self.state = state
    }
}

extension PeerMessage.Sending {
    var wire: PBPeerFrame.OneOf_Body {
        switch self {
        case .sent(let sent): .sent(PBSentActivity(sent))
        case .taken(let activity): .taken(.with { $0.activity = activity.bytes.data })
        }
    }

    init?(_ body: PBPeerFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .sent(let sent): self = .sent(try SentActivity(sent))
        case .taken(let taken): self = .taken(try ActivityID(bytes: taken.activity))
        default: return nil
        }
    }
}

extension PBSentActivity {
    init(_ sent: SentActivity) {
        self.init()
        offer = PBOffer(sent.offer)
        state = sent.state.message
    }
}

extension SentActivity {
    init(_ message: PBSentActivity) throws(WireError) {
        self.init(offer: try Offer(message.offer), state: try CarriedState(sent: message.state))
        try check()
    }

    /// Throws `.tooLarge` above `Limits.frameBytes`.
    package func byteCount() throws(WireError) -> Int { try PBSentActivity(self).bytes().count }

    package func check() throws(WireError) {
        guard state.documents.isEmpty else {
            throw WireError(.malformed, "an activity that is sent cannot name files")
        }
        guard state.type == offer.type else {
            throw WireError(.malformed, "the state has a different type from its offer")
        }
        guard !state.supportsStreams, !offer.supportsStreams else {
            throw WireError(.malformed, "an activity that is sent cannot have streams")
        }
        let count = try byteCount()
        guard count <= Limits.sentActivityBytes else {
            throw WireError(.tooLarge, "an activity of \(count) bytes, at most \(Limits.sentActivityBytes) can be sent")
        }
    }
}
