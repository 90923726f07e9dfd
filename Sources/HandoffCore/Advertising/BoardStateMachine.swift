// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What an event did to this device's board.
package struct BoardUpdate: Equatable {
    /// This device's own view is another.
    package var isChanged: Bool
    /// To be sent to every peer, now.
    package var delta: BoardDelta?

    package init(isChanged: Bool, delta: BoardDelta? = nil) {
        self.isChanged = isChanged
        self.delta = delta
    }

    package static var none: BoardUpdate { BoardUpdate(isChanged: false) }
}

/// This device's own board: what its clients offer, and what of it the peers were told.
///
/// Overview: a client has at most one current activity; another one takes its place. Two processes of one app are two
/// clients, each with an activity of its own. The newest offer comes first.
///
/// An app that quit may leave its activity behind, kept for a time, for its daemon has what it saved last. It has one at
/// most, and none beside one that is current: what the app says next, in whichever process, takes its place.
///
/// While its user is away from the device, only what a script holds is shown. All else keeps its place, out of sight, and
/// comes back to it.
///
/// What nobody speaks of any more goes by itself: at its expiration date, or, without one, a set time after it was last
/// heard of.
///
/// Pace: the changes of one app go to the peers at once, up to a burst, then spaced, so that a busy app cannot flood
/// them; the newest state always arrives. All programs without a bundle count as one app. A replaced offer stays with
/// the peers until the one that replaces it goes out, so that nothing flickers. A plain withdrawal never waits, and there
/// can be no more of those than offers went out.
///
/// The peers' view is a sequence of revisions: each delta leads from one to the next, and a snapshot is the view as of
/// the last delta, so every peer has the same one whenever it came.
///
/// There is no `State`: a board is always in one state, and what it holds is plain data.
package struct BoardStateMachine: ~Copyable {
    private enum Owner: Hashable {
        case client(ClientID)
        /// The app quit.
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
        /// By a script: shown whether its user is there or not.
        var isHeld = false
        /// When it goes by itself, apart from its expiration date.
        var end: Instant?

        func isOver(now: Instant, wall: WallTime) -> Bool {
            offer.isExpired(at: wall) || end.map { $0 <= now } ?? false
        }
    }

    /// Its user is not at this device.
    private struct Absence {
        /// What peers could see when it began, and for how long they may still ask for it.
        let seen: Set<ActivityID>
        let end: Instant
    }

    private let limits: BoardLimits
    /// Nil: the user is there.
    private var absence: Absence?
    /// What is so. Newest first, at most one of each owner.
    private var entries: [Entry] = []
    /// What the peers were told.
    private var announced: [ActivityID: Entry] = [:]
    private var revision: UInt64 = 0
    /// By app; those that are idle are forgotten.
    private var paces: [BundleID?: Pace] = [:]
    /// When `deadlineReached` is due: an offer goes by itself, or a change that waits may go out.
    package private(set) var nextDeadline: Instant?

    package init(limits: BoardLimits = BoardLimits()) { self.limits = limits }

    private var shown: [Entry] { absence == nil ? entries : entries.filter(\.isHeld) }

    /// What is shown, newest first.
    package var offers: [Offer] { shown.map(\.offer) }
    package var count: Int { shown.count }

    /// Whether a device may continue it: it is shown, or was when its user left, and somebody may be about to ask for it.
    package func isOffered(_ activity: ActivityID, now: Instant) -> Bool {
        guard let entry = entries.first(where: { $0.offer.activity == activity }) else { return false }
        guard let absence, !entry.isHeld else { return true }
        return absence.seen.contains(activity) && now < absence.end
    }

    /// Shown or not. `client` is nil where its app quit.
    package func entry(_ activity: ActivityID) -> (offer: Offer, client: ClientID?)? {
        entries.first { $0.offer.activity == activity }.map { ($0.offer, $0.owner.client) }
    }

    /// Those whose apps quit.
    package var kept: [Offer] { entries.lazy.filter { $0.owner.client == nil }.map(\.offer) }

    /// The peers' view.
    package var snapshot: BoardSnapshot {
        BoardSnapshot(revision: revision, offers: announced.values.map { $0.offer }.sorted(by: Offer.newestFirst))
    }

    package enum PublishAction: Equatable {
        case update(BoardUpdate)
        case refuse(Failure)
    }

    /// A client says what its user is doing: another activity became current, the description of the current one
    /// changed, or, where nothing changed, its user came back to it. `offer.since` is now.
    ///
    /// An offer that has expired already is not offered; what the client offered before is gone all the same. `heard`:
    /// when the client last spoke of it, if that is not now. `isHeld`: by a script, so that it stays while its user is away.
    package mutating func published(
        _ offer: Offer, by client: ClientID, isHeld: Bool = false, heard: Instant? = nil, now: Instant, wall: WallTime
    ) -> PublishAction {
        if let other = entry(offer.activity), other.client != client, other.offer.bundle != offer.bundle {
            return .refuse(Failure(.notAllowed, "another app offers an activity of this identifier"))
        }
        // The offer that this one continues or replaces. The same activity under another client is an app that connected
        // anew, maybe before its old connection was seen to end.
        let old = entry(offer.activity)?.offer
        let owner = Owner.client(client)
        let former = offer.bundle.map(Owner.former)
        let isRoomy =
            entries.count { $0.owner.client != nil && $0.owner != owner && $0.offer.activity != offer.activity }
            < limits.offers
        guard isRoomy else {
            return .refuse(Failure(.limitReached, "this device offers \(limits.offers) activities already"))
        }
        var new = offer
        new.since = since(of: offer, continuing: old)

        let before = entries.map(\.offer)
        entries.removeAll { $0.owner == owner || $0.owner == former || $0.offer.activity == offer.activity }
        // What peers still see of them is this client's to replace.
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

    /// Its client has something new to save. False where it is not on the board.
    package mutating func refreshed(_ activity: ActivityID, by client: ClientID, now: Instant) -> Bool {
        guard let index = entries.firstIndex(where: { $0.offer.activity == activity && $0.owner == .client(client) })
        else { return false }
        // A deadline that comes too early finds nothing to do.
        entries[index].end = end(of: entries[index].offer, heard: now)
        return true
    }

    /// Resigned or invalidated. Nothing happens if neither the client nor an earlier process of its app offers it.
    package mutating func withdrawn(
        _ activity: ActivityID, by client: ClientID, of bundle: BundleID?, now: Instant, wall: WallTime
    ) -> BoardUpdate {
        let owners = [.client(client), bundle.map(Owner.former)]
        return remove(now: now, wall: wall) { $0.offer.activity == activity && owners.contains($0.owner) }
    }

    /// It offers nothing any more. What it offered goes with it.
    package mutating func clientClosed(_ client: ClientID, now: Instant, wall: WallTime) -> BoardUpdate {
        remove(now: now, wall: wall) { $0.owner == .client(client) }
    }

    /// The process ended, or its connection; nobody said that its activity is over, and what it saved last, then, is at
    /// hand. It stays, but for a program without a bundle, which nobody could know again, and for an app that has another
    /// current activity. There are no streams any more; its state is what can be continued.
    package mutating func clientQuit(
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

    /// Of an app that quit, and may not offer any more or wants it gone.
    package mutating func dropped(_ activity: ActivityID, now: Instant, wall: WallTime) -> BoardUpdate {
        remove(now: now, wall: wall) { $0.offer.activity == activity }
    }

    /// From now on its user is away, or there again.
    package mutating func userIsAway(_ isAway: Bool, now: Instant, wall: WallTime) -> BoardUpdate {
        guard isAway != (absence != nil) else { return .none }
        absence = isAway ? Absence(seen: Set(announced.keys), end: now.advanced(by: limits.lateFetches)) : nil
        return settle(isChanged: true, now: now, wall: wall)
    }

    /// Also right at any other time, as when a device wakes up and its clock has jumped.
    package mutating func deadlineReached(now: Instant, wall: WallTime) -> BoardUpdate {
        settle(isChanged: false, now: now, wall: wall)
    }

    private mutating func remove(now: Instant, wall: WallTime, where isGone: (Entry) -> Bool) -> BoardUpdate {
        let count = entries.count
        entries.removeAll(where: isGone)
        return settle(isChanged: entries.count != count, now: now, wall: wall)
    }

    /// A new activity is newer than all others whatever the wall clock says, so that its place is the first, here and at
    /// the peers. A changed description keeps its place. The same again is the user coming back to it.
    private func since(of offer: Offer, continuing old: Offer?) -> WallTime {
        if let old {
            var same = offer
            same.since = old.since
            if same != old || entries.first?.offer == old { return old.since }
        }
        guard let newest = entries.first?.offer.since, newest >= offer.since else { return offer.since }
        return newest.advanced(by: .milliseconds(1))
    }

    /// Nil where it has an expiration date.
    private func end(of offer: Offer, heard: Instant) -> Instant? {
        offer.expires == nil && limits.expiry > .zero ? heard.advanced(by: limits.expiry) : nil
    }

    private mutating func settle(isChanged: Bool, now: Instant, wall: WallTime) -> BoardUpdate {
        let count = entries.count
        entries.removeAll { $0.isOver(now: now, wall: wall) }
        // More than there may be are those of apps that quit; the oldest give way.
        while entries.count > limits.offers, let index = entries.lastIndex(where: { $0.owner.client == nil }) {
            entries.remove(at: index)
        }
        paces = paces.filter { !$0.value.isIdle(at: now) }
        nextDeadline = entries.lazy.compactMap { $0.offer.expires }.min().map {
            now.advanced(by: wall.duration(to: $0))
        }
        nextDeadline = nextDeadline.earlier(entries.lazy.compactMap { $0.end }.min())
        let delta = announceChanges(now: now)
        return BoardUpdate(isChanged: isChanged || entries.count != count, delta: delta)
    }

    /// Takes the peers' view as near to what is so as the pace allows.
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
            // What takes an offer's place may wait; that its user is gone does not.
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
