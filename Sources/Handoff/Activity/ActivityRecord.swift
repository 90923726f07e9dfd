// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// Outlives the activity: the center retains only records, so that releasing the app's last reference ends it.
final class ActivityRecord: Sendable {
    struct State: Sendable {
        var content: ActivityContent
        var isInvalidated = false
        weak var activity: NSUserActivity?
        var delegate = WeakDelegate()
        /// Not nil while will-save runs.
        var saving: [SaveWaiter]?
        /// The daemon has the current state.
        var isSaved = false
        var isAdvisedOnSize = false
        var owners: [ActivityOwnerReference] = []
        var wasAsked = false
        var events = EventStreams()
        /// Nil if the app created the activity.
        var continuation: ContinuationID?
        /// By the continuation.
        var delivered: Set<FilePlace> = []
    }

    let id: ActivityID
    let type: ActivityType
    let state: Lock<State>
    /// The delegate's queue. Gets a thread even if hooks of other activities block.
    let hooks = DispatchQueue(label: "handoff.activity", qos: .default)

    init(type: ActivityType, content: ActivityContent) {
        var generator = SystemRandomNumberGenerator()
        self.id = .random(using: &generator)
        self.type = type
        self.state = Lock(State(content: content))
    }
}

extension ActivityRecord.State {
    /// Empties `userInfo`, because entries of a former owner must not stay; not the first time, because the app may
    /// have set entries.
    mutating func beginAsking() {
        content.needsSave = false
        if wasAsked, !owners.isEmpty { content.userInfo = [:] }
        wasAsked = true
    }
}

struct SaveWaiter: Sendable, Hashable {
    let ticket: AnswerTicket
    /// For the files that the state names; nil if the daemon does not want them.
    let filesBy: ContinuousClock.Instant?
}

/// Unchecked: the reference is only passed on; by contract a delegate is called on a background queue.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any NSUserActivityDelegate)?
}
