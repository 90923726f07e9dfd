// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The part of an activity that may outlive its object. The center retains records and the app retains activities, so
/// the release of the app's last reference is detected.
final class ActivityRecord: Sendable {
    struct State: Sendable {
        var content: ActivityContent
        var isInvalidated = false
        weak var activity: NSUserActivity?
        var delegate = WeakDelegate()
        /// Not nil while will-save runs.
        var saving: [SaveWaiter]?
        /// The daemon has the current state and has received no change since.
        var isSaved = false
        var isAdvisedOnSize = false
        var owners: [ActivityOwnerReference] = []
        /// The delegate and the owners have been asked for the state before.
        var wasAsked = false
        var events = EventStreams()
        /// The continuation that delivered the activity; nil if the app created it.
        var continuation: ContinuationID?
        /// Files that the continuation delivered.
        var delivered: Set<FilePlace> = []
    }

    let id: ActivityID
    let type: ActivityType
    let state: Lock<State>
    /// The delegate's queue: in the background, one call at a time. A dedicated queue gets a thread even if hooks of
    /// other activities block.
    let hooks = DispatchQueue(label: "handoff.activity", qos: .default)

    init(type: ActivityType, content: ActivityContent) {
        var generator = SystemRandomNumberGenerator()
        self.id = .random(using: &generator)
        self.type = type
        self.state = Lock(State(content: content))
    }
}

extension ActivityRecord.State {
    /// Prepares for asking the delegate and the owners for the state.
    ///
    /// `userInfo` is emptied before the owners add their parts, because entries of a former owner must not stay. The
    /// first time it is kept: the app set its entries directly, and an activity without hooks has no others.
    mutating func beginAsking() {
        content.needsSave = false
        if wasAsked, !owners.isEmpty { content.userInfo = [:] }
        wasAsked = true
    }
}

/// A request of the daemon for the activity's state.
struct SaveWaiter: Sendable, Hashable {
    let ticket: AnswerTicket
    /// The deadline for the files that the state names; nil if the daemon does not want them.
    let filesBy: ContinuousClock.Instant?
}

/// Unchecked: the reference is only passed on; by contract a delegate is called on a background queue.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any NSUserActivityDelegate)?
}
