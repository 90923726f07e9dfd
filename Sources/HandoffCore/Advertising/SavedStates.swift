// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What an app had saved of its activity, and when.
package struct SavedState: Hashable, Sendable {
    package let state: ActivityState
    package let saved: WallTime

    /// It is for when the app is not there: nobody could open a stream then.
    package init(_ state: ActivityState, saved: WallTime) {
        var state = state
        state.supportsStreams = false
        self.state = state
        self.saved = saved
    }
}

/// How often an app is asked to save, only so that its state is at hand should it quit, and how much is held.
package struct SavingLimits: Hashable, Sendable {
    /// False: no app is asked, and nothing is held.
    package var isOn = true
    /// From a change to the question: the changes of a moment are one.
    package var calm: Duration = .seconds(1)
    /// From one question to the next to the same program, at the least.
    package var spacing: Duration = .seconds(10)
    /// The app's time to save.
    package var deadline: Duration = .seconds(8)
    /// What the states may hold together, bytes. One that does not fit is not held.
    package var bytes = 4 * 1024 * 1024

    package init() {}
}

/// The last saved state of each current activity, in memory and for this device alone: what is handed out to a device
/// whose user accepts after the app has quit.
///
/// An app is asked to save some time after its activity became current, and again only after it said that something
/// changed. So an app at rest costs nothing, and a busy one one save each `spacing`.
///
/// There is no `State`: each client is on its own, and what is held of it is plain data.
package struct SavedStates: ~Copyable {
    private struct Asking {
        /// Nil: it offers nothing now.
        var activity: ActivityID?
        /// When the next question is due; nil: it has nothing new to save.
        var due: Instant?
        /// A question is under way.
        var isAsked = false
        var lastAsked: Instant?

        mutating func changed(_ limits: SavingLimits, now: Instant) {
            let calm = now.advanced(by: limits.calm)
            // The first change counts: an app that never rests is asked all the same.
            due = due ?? lastAsked.map { max(calm, $0.advanced(by: limits.spacing)) } ?? calm
        }
    }

    private let limits: SavingLimits
    private var asking: [ClientID: Asking] = [:]
    private var states: [ActivityID: SavedState] = [:]

    package init(limits: SavingLimits = SavingLimits()) { self.limits = limits }

    package var nextDeadline: Instant? {
        asking.values.lazy.filter { !$0.isAsked }.compactMap { $0.due }.min()
    }

    package func state(of activity: ActivityID) -> SavedState? { states[activity] }
    package var count: Int { states.count }
    package var bytes: Int { states.values.reduce(0) { $0 + $1.state.size } }

    /// It is current, or its description changed.
    package mutating func published(_ activity: ActivityID, by client: ClientID, now: Instant) {
        guard limits.isOn else { return }
        if asking[client]?.activity != activity {
            if let before = asking[client]?.activity { states[before] = nil }
            asking[client] = Asking(activity: activity, lastAsked: asking[client]?.lastAsked)
        }
        asking[client]?.changed(limits, now: now)
    }

    /// Its client has something new to save.
    package mutating func changed(_ activity: ActivityID, by client: ClientID, now: Instant) {
        guard asking[client]?.activity == activity else { return }
        asking[client]?.changed(limits, now: now)
    }

    /// These are to be asked now.
    package mutating func deadlineReached(now: Instant) -> [(client: ClientID, activity: ActivityID)] {
        var questions: [(client: ClientID, activity: ActivityID)] = []
        for (client, entry) in asking where !entry.isAsked {
            guard let activity = entry.activity, let due = entry.due, due <= now else { continue }
            asking[client]?.due = nil
            asking[client]?.isAsked = true
            asking[client]?.lastAsked = now
            questions.append((client, activity))
        }
        return questions
    }

    /// The answer to such a question. After a failure what was saved before stays the last saved state, and the app is not
    /// asked again before something changes.
    package mutating func answered(
        _ result: Result<ActivityState, Failure>, of activity: ActivityID, by client: ClientID, now: Instant,
        wall: WallTime
    ) {
        guard asking[client]?.activity == activity else { return }
        asking[client]?.isAsked = false
        if case .success(let state) = result { hold(state, of: activity, wall: wall) }
    }

    /// A device fetched it, so it was saved without a question of ours.
    package mutating func saved(_ state: ActivityState, of activity: ActivityID, by client: ClientID, wall: WallTime) {
        guard asking[client]?.activity == activity else { return }
        // What changed after it is told after it.
        asking[client]?.due = nil
        hold(state, of: activity, wall: wall)
    }

    /// The app wants no state of these to be held. What is current is asked for again when something changes.
    package mutating func deleted(_ saved: SavedActivities, by client: ClientID) {
        guard let activity = asking[client]?.activity, let held = states[activity],
            saved.contains(held.state.persistentIdentifier)
        else { return }
        states[activity] = nil
    }

    /// The client left. What it saved stays until `forget`.
    package mutating func clientClosed(_ client: ClientID) { asking[client] = nil }

    /// Activities that are not on the board are nobody's to hand out.
    package mutating func forget(unless isOffered: (ActivityID) -> Bool) {
        guard !states.isEmpty || !asking.isEmpty else { return }
        states = states.filter { isOffered($0.key) }
        for (client, entry) in asking {
            guard let activity = entry.activity, !isOffered(activity) else { continue }
            asking[client] = Asking(lastAsked: entry.lastAsked)
        }
    }

    private mutating func hold(_ state: ActivityState, of activity: ActivityID, wall: WallTime) {
        // What was held of it is out of date, whether or not there is room for this.
        states[activity] = nil
        guard bytes + state.size <= limits.bytes else { return }
        states[activity] = SavedState(state, saved: wall)
    }
}

extension ActivityState {
    /// About what it takes in memory, bytes.
    fileprivate var size: Int {
        let texts = [
            title, webpageURL, referrerURL, targetContentIdentifier, persistentIdentifier, type.name,
        ]
        let lists = keywords + (requiredUserInfoKeys ?? [])
        let words = (texts.compactMap(\.self) + lists).reduce(0) { $0 + $1.utf8.count }
        return words + userInfo.count + contentAttributes.count
    }
}
