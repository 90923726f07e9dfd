// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct SavedState: Hashable, Sendable {
    let state: ActivityState
    let saved: WallTime

    /// The app is gone when it is used.
    init(_ state: ActivityState, saved: WallTime) {
        var state = state
        state.supportsStreams = false
        self.state = state
        self.saved = saved
    }
}

struct SavingLimits: Hashable, Sendable {
    var isOn = true
    /// Combines changes in quick succession into one request.
    var calm: Duration = .seconds(1)
    var spacing: Duration = .seconds(10)
    var deadline: Duration = .seconds(8)
    /// For all states. A state that does not fit is not held.
    var bytes = 4 * 1024 * 1024
}

/// The last saved state of each current activity, for use after the app has quit.
///
/// An app is asked to save once its activity is current, and again only after it reported a change: an idle app costs
/// nothing, a busy app one save per `spacing`.
///
/// There is no `State` type: all data is plain.
struct SavedStates: ~Copyable {
    private struct Asking {
        var activity: ActivityID?
        /// Nil: nothing new.
        var due: Instant?
        var isAsked = false
        /// Otherwise the state is not held.
        var isOffered = true
        var lastAsked: Instant?

        mutating func changed(_ limits: SavingLimits, now: Instant) {
            let calm = now.advanced(by: limits.calm)
            // The first change decides: an app that changes constantly is asked too.
            due = due ?? lastAsked.map { max(calm, $0.advanced(by: limits.spacing)) } ?? calm
        }
    }

    private let limits: SavingLimits
    private var asking: [ClientID: Asking] = [:]
    private var states: [ActivityID: SavedState] = [:]

    init(limits: SavingLimits = SavingLimits()) { self.limits = limits }

    var nextDeadline: Instant? {
        asking.values.lazy.filter { !$0.isAsked }.compactMap { $0.due }.min()
    }

    func state(of activity: ActivityID) -> SavedState? { states[activity] }
    var count: Int { states.count }
    var bytes: Int { states.values.reduce(0) { $0 + $1.state.size } }

    mutating func current(_ activity: ActivityID, of client: ClientID, isOffered: Bool = true, now: Instant) {
        guard limits.isOn else { return }
        if asking[client]?.activity != activity {
            if let before = asking[client]?.activity { states[before] = nil }
            asking[client] = Asking(activity: activity, lastAsked: asking[client]?.lastAsked)
        }
        asking[client]?.isOffered = isOffered
        asking[client]?.changed(limits, now: now)
    }

    mutating func noLongerWithheld(by client: ClientID) {
        guard let entry = asking[client], !entry.isOffered else { return }
        asking[client] = Asking(lastAsked: entry.lastAsked)
    }

    mutating func changed(_ activity: ActivityID, by client: ClientID, now: Instant) {
        guard asking[client]?.activity == activity else { return }
        asking[client]?.changed(limits, now: now)
    }

    mutating func deadlineReached(now: Instant) -> [(client: ClientID, activity: ActivityID)] {
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

    mutating func hurry(now: Instant) {
        for (client, entry) in asking where entry.due != nil { asking[client]?.due = now }
    }

    /// A failure keeps the previous state.
    mutating func answered(
        _ result: Result<ActivityState, Failure>, of activity: ActivityID, by client: ClientID, now: Instant,
        wall: WallTime
    ) {
        guard asking[client]?.activity == activity else { return }
        asking[client]?.isAsked = false
        if case .success(let state) = result, asking[client]?.isOffered == true {
            hold(state, of: activity, wall: wall)
        }
    }

    /// For another device's fetch.
    mutating func saved(_ state: ActivityState, of activity: ActivityID, by client: ClientID, wall: WallTime) {
        guard asking[client]?.activity == activity else { return }
        asking[client]?.due = nil
        hold(state, of: activity, wall: wall)
    }

    mutating func deleted(_ saved: SavedActivities, by client: ClientID) {
        guard let activity = asking[client]?.activity, let held = states[activity],
            saved.contains(held.state.persistentIdentifier)
        else { return }
        states[activity] = nil
    }

    /// Its saved state stays until `forget`.
    mutating func clientClosed(_ client: ClientID) { asking[client] = nil }

    /// States of activities that are not on the board must not be sent.
    mutating func forget(unless isOffered: (ActivityID) -> Bool) {
        guard !states.isEmpty || !asking.isEmpty else { return }
        states = states.filter { isOffered($0.key) }
        for (client, entry) in asking {
            guard entry.isOffered, let activity = entry.activity, !isOffered(activity) else { continue }
            asking[client] = Asking(lastAsked: entry.lastAsked)
        }
    }

    private mutating func hold(_ state: ActivityState, of activity: ActivityID, wall: WallTime) {
        // Outdated, even if the new state does not fit.
        states[activity] = nil
        guard bytes + state.size <= limits.bytes else { return }
        states[activity] = SavedState(state, saved: wall)
    }
}

extension ActivityState {
    /// Approximate, in bytes.
    fileprivate var size: Int {
        let texts = [
            title, webpageURL, referrerURL, targetContentIdentifier, persistentIdentifier, type.name,
        ]
        let lists = keywords + (requiredUserInfoKeys ?? [])
        let words = (texts.compactMap(\.self) + lists).reduce(0) { $0 + $1.utf8.count }
        return words + userInfo.count + contentAttributes.count
    }
}
