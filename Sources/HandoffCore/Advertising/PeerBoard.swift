// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// This device's copy of a peer's board, for as long as the session lasts.
package struct PeerBoard: Sendable {
    private enum State: Hashable {
        /// No snapshot came yet. Can transition to: following, asking.
        case empty
        /// The offers are the board as of this revision. Can transition to: asking.
        case following(revision: UInt64)
        /// A delta was missed, and a snapshot asked for. Can transition to: following, empty.
        case asking
    }

    private var state: State = .empty
    /// Newest first.
    package private(set) var offers: [Offer] = []

    package init() {}

    package func offer(_ activity: ActivityID) -> Offer? { offers.first { $0.activity == activity } }
    /// When `expire` is due.
    package var nextExpiry: WallTime? { offers.lazy.compactMap(\.expires).min() }

    /// All of the board; it ends all doubt. True if the offers changed.
    package mutating func snapshotReceived(_ snapshot: BoardSnapshot, wall: WallTime) -> Bool {
        state = .following(revision: snapshot.revision)
        return replace(with: snapshot.offers, wall: wall)
    }

    package enum DeltaAction: Hashable {
        case show
        /// Known already, without effect, or overtaken by a snapshot that is on its way.
        case ignore
        /// Something was missed.
        case askForSnapshot
    }

    package mutating func deltaReceived(_ delta: BoardDelta, wall: WallTime) -> DeltaAction {
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

    /// No answer came. What is shown stays until the next delta asks again.
    package mutating func snapshotFailed() {
        if state == .asking { state = .empty }
    }

    /// True if the offers changed.
    package mutating func expire(wall: WallTime) -> Bool { replace(with: offers, wall: wall) }

    private mutating func replace(with new: [Offer], wall: WallTime) -> Bool {
        let before = offers
        // A peer's list may say anything: one line an activity, in our order, within our limit.
        var seen: Set<ActivityID> = []
        let shown = new.filter { !$0.isExpired(at: wall) && seen.insert($0.activity).inserted }
        offers = Array(shown.sorted(by: Offer.newestFirst).prefix(Limits.offersPerBoard))
        return offers != before
    }
}
