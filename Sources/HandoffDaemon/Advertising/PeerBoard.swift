// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct PeerBoard: Sendable {
    private enum State: Hashable {
        /// Can transition to: following, asking.
        case empty
        /// The offers match this revision. Can transition to: asking.
        case following(revision: UInt64)
        /// A delta was missed; a snapshot was requested. Can transition to: following, empty.
        case asking
    }

    private var state: State = .empty
    private(set) var offers: [Offer] = []

    init() {}

    func offer(_ activity: ActivityID) -> Offer? { offers.first { $0.activity == activity } }
    var nextExpiry: WallTime? { offers.lazy.compactMap(\.expires).min() }

    mutating func snapshotReceived(_ snapshot: BoardSnapshot, wall: WallTime) -> Bool {
        state = .following(revision: snapshot.revision)
        return replace(with: snapshot.offers, wall: wall)
    }

    enum DeltaAction: Hashable {
        case show
        /// Known, without effect, or superseded by a snapshot on its way.
        case ignore
        case askForSnapshot
    }

    mutating func deltaReceived(_ delta: BoardDelta, wall: WallTime) -> DeltaAction {
        switch state {
        case .asking: return .ignore
        case .following(let revision) where delta.revision <= revision: return .ignore
        case .following(let revision) where delta.revision - revision == 1:
            state = .following(revision: delta.revision)
            let gone = Set(delta.withdrawn).union(delta.upserted.map(\.activity))
            return replace(with: offers.filter { !gone.contains($0.activity) } + delta.upserted, wall: wall)
                ? .show : .ignore
        case .following, .empty:
            state = .asking
            return .askForSnapshot
        }
    }

    /// The offers stay until the next delta leads to another request.
    mutating func snapshotFailed() {
        if state == .asking { state = .empty }
    }

    mutating func expire(wall: WallTime) -> Bool { replace(with: offers, wall: wall) }

    private mutating func replace(with new: [Offer], wall: WallTime) -> Bool {
        let before = offers
        // Not trusted: one entry per activity, our order, our limit.
        var seen: Set<ActivityID> = []
        let shown = new.filter { !$0.isExpired(at: wall) && seen.insert($0.activity).inserted }
        offers = Array(shown.sorted(by: Offer.newestFirst).prefix(Limits.offersPerBoard))
        return offers != before
    }
}
