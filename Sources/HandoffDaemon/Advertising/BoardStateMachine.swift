// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct BoardUpdate: Equatable {
    var isChanged: Bool
    var delta: BoardDelta?

    static var none: BoardUpdate { BoardUpdate(isChanged: false) }
}

/// The offers of this device's clients, and the part of them that the peers have received.
///
/// A client has at most one current activity. Two processes of one app are two clients. An app that quit may leave one
/// activity behind for a time, until any process of it has another. While the user is away, only activities held by
/// scripts are shown.
///
/// Changes of one app are sent immediately, up to a burst, then spaced, so that a busy app cannot flood the peers. All
/// programs without a bundle share one pace. A replaced offer stays visible until its replacement is sent, so that
/// nothing flickers. A plain withdrawal never waits.
///
/// Each delta leads from one revision to the next, so every peer has the same view.
///
/// There is no `State` type: all data is plain.
struct BoardStateMachine: ~Copyable {
    private enum Owner: Hashable {
        case client(ClientID)
        case former(BundleID)

        var client: ClientID? {
            switch self {
            case .client(let client): client
            case .former: nil
            }
        }
    }

    private struct Entry {
        var offer: Offer
        var owner: Owner
        var isHeld = false
        /// Apart from its expiration date.
        var end: Instant?

        func isOver(now: Instant, wall: WallTime) -> Bool {
            offer.isExpired(at: wall) || end.map { $0 <= now } ?? false
        }
    }

    private struct Absence {
        /// Visible to peers when the absence began; fetchable until `end`.
        let seen: Set<ActivityID>
        let end: Instant
    }

    private let limits: BoardLimits
    private var absence: Absence?
    /// Newest first, at most one per owner.
    private var entries: [Entry] = []
    private var announced: [ActivityID: Entry] = [:]
    private var revision: UInt64 = 0
    private var paces: [BundleID?: Pace] = [:]
    private(set) var nextDeadline: Instant?

    init(limits: BoardLimits = BoardLimits()) { self.limits = limits }

    private var shown: [Entry] { absence == nil ? entries : entries.filter(\.isHeld) }

    var offers: [Offer] { shown.map(\.offer) }
    var count: Int { shown.count }

    /// Includes activities that may still be fetched after the user left.
    func isOffered(_ activity: ActivityID, now: Instant) -> Bool {
        guard let entry = entries.first(where: { $0.offer.activity == activity }) else { return false }
        guard let absence, !entry.isHeld else { return true }
        return absence.seen.contains(activity) && now < absence.end
    }

    /// `client` nil: the app quit.
    func entry(_ activity: ActivityID) -> (offer: Offer, client: ClientID?)? {
        entries.first { $0.offer.activity == activity }.map { ($0.offer, $0.owner.client) }
    }

    var kept: [Offer] { entries.lazy.filter { $0.owner.client == nil }.map(\.offer) }

    var snapshot: BoardSnapshot {
        BoardSnapshot(revision: revision, offers: announced.values.map { $0.offer }.sorted(by: Offer.newestFirst))
    }

    enum PublishAction: Equatable {
        case update(BoardUpdate)
        case refuse(Failure)
    }

    /// A new activity, a changed description, or, if nothing changed, an activity that the user returned to.
    /// `offer.since` is now. An expired offer still removes the client's previous offer. `heard`: the client's last
    /// message about it, if not now.
    mutating func published(
        _ offer: Offer, by client: ClientID, isHeld: Bool = false, heard: Instant? = nil, now: Instant, wall: WallTime
    ) -> PublishAction {
        if let other = entry(offer.activity), other.client != client, other.offer.bundle != offer.bundle {
            return .refuse(Failure(.notAllowed, "another app offers an activity with this identifier"))
        }
        // Another client's, if an app reconnected before its old connection's end was noticed.
        let old = entry(offer.activity)?.offer
        let owner = Owner.client(client)
        let former = offer.bundle.map(Owner.former)
        let isRoomy =
            entries.count { $0.owner.client != nil && $0.owner != owner && $0.offer.activity != offer.activity }
            < limits.offers
        guard isRoomy else {
            return .refuse(Failure(.limitReached, "this device already offers \(limits.offers) activities"))
        }
        var new = offer
        new.since = since(of: offer, continuing: old)

        let before = entries.map(\.offer)
        entries.removeAll { $0.owner == owner || $0.owner == former || $0.offer.activity == offer.activity }
        for (activity, entry) in announced where entry.owner == former || activity == offer.activity {
            announced[activity]?.owner = owner
        }
        let entry = Entry(offer: new, owner: owner, isHeld: isHeld, end: end(of: new, heard: heard ?? now))
        if !entry.isOver(now: now, wall: wall) {
            let index = entries.firstIndex { Offer.newestFirst(new, $0.offer) } ?? entries.endIndex
            entries.insert(entry, at: index)
        }
        return .update(settle(isChanged: entries.map(\.offer) != before, now: now, wall: wall))
    }

    mutating func refreshed(_ activity: ActivityID, by client: ClientID, now: Instant) -> Bool {
        guard let index = entries.firstIndex(where: { $0.offer.activity == activity && $0.owner == .client(client) })
        else { return false }
        entries[index].end = end(of: entries[index].offer, heard: now)
        return true
    }

    /// No effect unless the client or an earlier process of its app offers it.
    mutating func withdrawn(
        _ activity: ActivityID, by client: ClientID, of bundle: BundleID?, now: Instant, wall: WallTime
    ) -> BoardUpdate {
        let owners = [.client(client), bundle.map(Owner.former)]
        return remove(now: now, wall: wall) { $0.offer.activity == activity && owners.contains($0.owner) }
    }

    mutating func clientClosed(_ client: ClientID, now: Instant, wall: WallTime) -> BoardUpdate {
        remove(now: now, wall: wall) { $0.owner == .client(client) }
    }

    /// The client left without a withdrawal. Its offer stays, without streams, unless the program has no bundle, by
    /// which to recognize it later, or the app has another current activity.
    mutating func clientQuit(
        _ client: ClientID, saved: WallTime, now: Instant, wall: WallTime
    ) -> BoardUpdate {
        guard limits.keep > .zero, let index = entries.firstIndex(where: { $0.owner == .client(client) }),
            let bundle = entries[index].offer.bundle,
            !entries.contains(where: { $0.offer.bundle == bundle && $0.owner != .client(client) })
        else { return clientClosed(client, now: now, wall: wall) }
        entries[index].offer.saved = saved
        entries[index].offer.supportsStreams = false
        let end = now.advanced(by: limits.keep)
        entries[index].end = entries[index].end.map { min($0, end) } ?? end
        entries[index].owner = .former(bundle)
        for (activity, entry) in announced where entry.owner == .client(client) {
            announced[activity]?.owner = .former(bundle)
        }
        return settle(isChanged: true, now: now, wall: wall)
    }

    /// For an app that quit.
    mutating func dropped(_ activity: ActivityID, now: Instant, wall: WallTime) -> BoardUpdate {
        remove(now: now, wall: wall) { $0.offer.activity == activity }
    }

    mutating func userIsAway(_ isAway: Bool, now: Instant, wall: WallTime) -> BoardUpdate {
        guard isAway != (absence != nil) else { return .none }
        absence = isAway ? Absence(seen: Set(announced.keys), end: now.advanced(by: limits.lateFetches)) : nil
        return settle(isChanged: true, now: now, wall: wall)
    }

    mutating func deadlineReached(now: Instant, wall: WallTime) -> BoardUpdate {
        settle(isChanged: false, now: now, wall: wall)
    }

    private mutating func remove(now: Instant, wall: WallTime, where isGone: (Entry) -> Bool) -> BoardUpdate {
        let count = entries.count
        entries.removeAll(where: isGone)
        return settle(isChanged: entries.count != count, now: now, wall: wall)
    }

    /// A new activity must be first, regardless of the wall clock. A changed description keeps its place. Repeating a
    /// publication means that the user returned to it.
    private func since(of offer: Offer, continuing old: Offer?) -> WallTime {
        if let old {
            var same = offer
            same.since = old.since
            if same != old || entries.first?.offer == old { return old.since }
        }
        guard let newest = entries.first?.offer.since, newest >= offer.since else { return offer.since }
        return newest.advanced(by: .milliseconds(1))
    }

    private func end(of offer: Offer, heard: Instant) -> Instant? {
        offer.expires == nil && limits.expiry > .zero ? heard.advanced(by: limits.expiry) : nil
    }

    private mutating func settle(isChanged: Bool, now: Instant, wall: WallTime) -> BoardUpdate {
        let count = entries.count
        entries.removeAll { $0.isOver(now: now, wall: wall) }
        // Surplus offers belong to apps that quit.
        while entries.count > limits.offers, let index = entries.lastIndex(where: { $0.owner.client == nil }) {
            entries.remove(at: index)
        }
        paces = paces.filter { !$0.value.isIdle(at: now) }
        nextDeadline = entries.lazy.compactMap { $0.offer.expires }.min().map {
            .look(for: $0, now: now, wall: wall)
        }
        nextDeadline = nextDeadline.earlier(entries.lazy.compactMap { $0.end }.min())
        let delta = announceChanges(now: now)
        return BoardUpdate(isChanged: isChanged || entries.count != count, delta: delta)
    }

    private mutating func announceChanges(now: Instant) -> BoardDelta? {
        var upserted: [Offer] = []
        var passes: [BundleID?: Bool] = [:]
        var waiting: Set<Owner> = []
        let shown = shown
        for entry in shown where announced[entry.offer.activity]?.offer != entry.offer {
            let app = entry.offer.bundle
            let mayPass = passes[app] ?? paces[app, default: Pace()].take(limits.pace, at: now)
            passes[app] = mayPass
            if mayPass {
                announced[entry.offer.activity] = entry
                upserted.append(entry.offer)
            } else {
                waiting.insert(entry.owner)
                let free = paces[app, default: Pace()].nextFree(limits.pace)
                nextDeadline = min(nextDeadline ?? free, free)
            }
        }
        let current = Set(shown.map { $0.offer.activity })
        let isAway = absence != nil
        let gone = announced.filter { activity, entry in
            // A replacement may wait; the user's absence does not.
            if isAway && !entry.isHeld { return true }
            return !current.contains(activity) && !waiting.contains(entry.owner)
        }
        let withdrawn = gone.keys.sorted()
        for activity in withdrawn { announced[activity] = nil }
        guard !upserted.isEmpty || !withdrawn.isEmpty else { return nil }
        revision += 1
        return BoardDelta(revision: revision, upserted: upserted, withdrawn: withdrawn)
    }
}

package struct BoardLimits: Hashable, Sendable {
    var offers = Limits.offersPerBoard
    /// Updates of one app, before they are spaced.
    package var burst = Limits.offerBurst
    /// Later updates contain the newest state.
    var spacing = Limits.offerSpacing
    /// From the app's last message to the end of an activity without an expiration date; zero: never.
    package var expiry: Duration = .seconds(24 * 3600)
    /// After its app quit; zero: not kept.
    package var keep: Duration = .seconds(10 * 60)

    /// For fetching an activity that a user chose just before the user here left. Longer than an app there takes to
    /// start and to be notified, by `ContinuationLimits`.
    var lateFetches: Duration = .seconds(30)

    var pace: PaceLimit { PaceLimit(burst: burst, spacing: spacing) }

    package init() {}
}

extension Offer {
    /// A total order, for the origin and every peer.
    static func newestFirst(_ left: Offer, _ right: Offer) -> Bool {
        left.since == right.since ? left.activity < right.activity : left.since > right.since
    }

    func isExpired(at wall: WallTime) -> Bool { expires.map { $0 <= wall } ?? false }
}
