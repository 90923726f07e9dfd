// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

extension ActivityCenter {
    /// Updates the daemon. `again`: even if nothing changed, because the user has just turned to the activity.
    ///
    /// Changes are paced as other devices receive them; a withdrawal is sent at once.
    func publish(_ state: inout State, again: Bool = false) {
        guard state.isConnected, let connection = state.connection else { return }
        let wanted = state.current.flatMap { record in
            record.state.withLock { $0.content }.publication(of: record.id, type: record.type, at: environment.now())
        }
        let known = state.published
        // No answer is requested: each answer would wake a thread of this process, and only refusals matter.
        if let wanted {
            guard again || wanted != known, !state.pace.isWaiting(again: again) else { return }
            if let delay = state.pace.take(again: again, at: environment.instant()) { return publish(after: delay) }
            connection.send(.advertising(.publish(wanted)))
        } else if let known {
            // Needed only without a successor, which replaces the activity automatically.
            if !connection.send(.advertising(.withdraw(known.activity))) { state.left = known.activity }
        }
        state.published = wanted
    }

    private func publish(after delay: Duration) {
        environment.wait(delay) { [weak self] in
            self?.state.withLock { state in
                guard let again = state.pace.waited() else { return }
                self?.publish(&state, again: again)
            }
        }
    }

    /// Only publications are sent without requesting an answer, so the daemon refused one.
    func refused(_ failure: Failure) {
        let isNews = state.withLock { state in
            defer { state.lastRefusal = failure }
            return state.lastRefusal != failure
        }
        if isNews { environment.log("the activity is not offered: \(failure)") }
    }
}

/// Paces changes to the daemon: `Limits.offerBurst` at once, then one each `Limits.offerSpacing`, as the daemon
/// forwards them. Changes in between are combined.
struct PublishingPace: Sendable {
    /// When all changes sent so far would be used up at the even pace; nil before the first.
    private var workedOff: ContinuousClock.Instant?
    /// Not nil while a change waits: whether it must be sent even if nothing differs.
    private var waiting: Bool?

    /// True if a change already waits; this one is combined with it.
    mutating func isWaiting(again: Bool) -> Bool {
        guard let waiting else { return false }
        self.waiting = waiting || again
        return true
    }

    /// Nil: a change may be sent now, and is counted. Otherwise a change waits for that time.
    mutating func take(again: Bool, at now: ContinuousClock.Instant) -> Duration? {
        let workedOff = max(workedOff ?? now, now)
        let delay = now.duration(to: workedOff - Limits.offerSpacing * (Limits.offerBurst - 1))
        if delay > .zero {
            waiting = again
            return delay
        }
        self.workedOff = workedOff + Limits.offerSpacing
        return nil
    }

    /// Ends the wait. Nil if it was cancelled.
    mutating func waited() -> Bool? { waiting.take() }
}
