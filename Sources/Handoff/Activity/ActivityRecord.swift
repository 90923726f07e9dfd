// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The part of an activity that may outlive its object: the center keeps records, the app keeps activities, so that the
/// last reference to an activity is always the app's and its end is noticed.
final class ActivityRecord: Sendable {
    struct State: Sendable {
        var content: ActivityContent
        var isInvalidated = false
        weak var activity: NSUserActivity?
        var delegate = WeakDelegate()
        /// Not nil while will-save runs.
        var saving: [SaveWaiter]?
        /// The daemon has what it holds, but was not told of a change.
        var isSaved = false
        var isAdvisedOnSize = false
        var owners: [ActivityOwnerReference] = []
        /// Those who fill in its state have had a turn.
        var wasAsked = false
        var events = EventStreams()
        /// That it was delivered by; nil for one that the app made.
        var continuation: ContinuationID?
        /// Files that this continuation put in place.
        var delivered: Set<FilePlace> = []
    }

    let id: ActivityID
    let type: ActivityType
    let state: Lock<State>
    /// The delegate's: default priority, in the background, one call at a time.
    /// It has a thread when it needs one, however many hooks of others do not return.
    let hooks = DispatchQueue(label: "handoff.activity", qos: .default)

    init(type: ActivityType, content: ActivityContent) {
        var generator = SystemRandomNumberGenerator()
        self.id = .random(using: &generator)
        self.type = type
        self.state = Lock(State(content: content))
    }
}

extension ActivityRecord.State {
    /// The delegate and the owners are about to be asked for the state.
    ///
    /// Each owner puts in what is its own; what one that left had put in is not to stay, so `userInfo` is emptied before
    /// they are asked. Not the first time: what is there by then the app set by hand, and one without hooks has nothing else.
    mutating func beginAsking() {
        content.needsSave = false
        if wasAsked, !owners.isEmpty { content.userInfo = [:] }
        wasAsked = true
    }
}

/// A daemon that waits for the activity's state.
struct SaveWaiter: Sendable, Hashable {
    let ticket: AnswerTicket
    /// It wants the files that the state names as well, by then; nil: it does not.
    let filesBy: ContinuousClock.Instant?
}

/// Unchecked: the reference is only handed on; a delegate is by contract called on a background queue.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any NSUserActivityDelegate)?
}
