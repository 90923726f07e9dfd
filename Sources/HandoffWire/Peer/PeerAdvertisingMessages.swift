// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PeerMessage {
    package enum Advertising: Hashable, Sendable {
        case boardSnapshot(BoardSnapshot)
        case boardDelta(BoardDelta)
        /// Answered with `boardSnapshot`.
        case boardRequest
        /// Answered with `offerAnswer`.
        case offerQuestion(ActivityType)
        case offerAnswer(OfferAnswer)
    }
}

package struct OfferAnswer: Hashable, Sendable {
    /// With that type, on the sender's board.
    package var offered: UInt32
    /// Nil also for an unknown obstacle.
    package var obstacle: OfferObstacle?

    package init(offered: UInt32, obstacle: OfferObstacle? = nil) {
        self.offered = offered
        self.obstacle = obstacle
    }
}

package enum OfferObstacle: Int, Hashable, Sendable, CaseIterable {
    case switchedOff = 1
    case byAdministrator = 2
    case locked = 3
    case idle = 4
    case elsewhere = 5
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
    /// Newest first; `since` gives each its place.
    package var upserted: [Offer]
    package var withdrawn: [ActivityID]

    package init(revision: UInt64, upserted: [Offer] = [], withdrawn: [ActivityID] = []) {
        self.revision = revision
        self.upserted = upserted
        self.withdrawn = withdrawn
    }
}

extension PeerMessage.Advertising {
    var wire: PBPeerFrame.OneOf_Body {
        switch self {
        case .boardSnapshot(let snapshot):
            .boardSnapshot(
                .with {
                    $0.revision = snapshot.revision
                    $0.offers = snapshot.offers.map(PBOffer.init)
                })
        case .boardDelta(let delta):
            .boardDelta(
                .with {
                    $0.revision = delta.revision
                    $0.upserted = delta.upserted.map(PBOffer.init)
                    $0.withdrawn = delta.withdrawn.map(\.bytes.data)
                })
        case .boardRequest: .boardRequest(PBBoardRequest())
        case .offerQuestion(let type): .offerQuestion(.with { $0.activityType = type.name })
        case .offerAnswer(let answer):
            .offerAnswer(
                .with {
                    $0.offered = answer.offered
                    $0.obstacle = answer.obstacle.flatMap { PBOfferObstacle(rawValue: $0.rawValue) } ?? .unspecified
                })
        }
    }

    init?(_ body: PBPeerFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .boardSnapshot(let snapshot):
            self = .boardSnapshot(BoardSnapshot(revision: snapshot.revision, offers: try snapshot.offers.native()))
        case .boardDelta(let delta):
            guard delta.withdrawn.count <= Limits.offersPerBoard else {
                throw WireError(.limitReached, "more than \(Limits.offersPerBoard) withdrawals in one delta")
            }
            var withdrawn: [ActivityID] = []
            for id in delta.withdrawn { withdrawn.append(try ActivityID(bytes: id)) }
            self = .boardDelta(
                BoardDelta(revision: delta.revision, upserted: try delta.upserted.native(), withdrawn: withdrawn))
        case .boardRequest: self = .boardRequest
        case .offerQuestion(let question): self = .offerQuestion(try ActivityType(question.activityType))
        case .offerAnswer(let answer):
            self = .offerAnswer(
                OfferAnswer(offered: answer.offered, obstacle: OfferObstacle(rawValue: answer.obstacle.rawValue)))
        default: return nil
        }
    }
}

extension [PBOffer] {
    func native() throws(WireError) -> [Offer] {
        guard count <= Limits.offersPerBoard else {
            throw WireError(.limitReached, "more than \(Limits.offersPerBoard) offers on one board")
        }
        var offers: [Offer] = []
        // A later version may have other kinds of teams, whose offers cannot continue here.
        for offer in self where !offer.hasTeam || offer.team.kind != nil { offers.append(try Offer(offer)) }
        return offers
    }
}
