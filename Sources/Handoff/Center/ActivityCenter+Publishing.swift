// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

extension ActivityCenter {
    /// Paces changes, but not a withdrawal. `again`: even if nothing changed, because the user turned to the activity.
    func publish(_ state: inout State, again: Bool = false) {
        guard state.isConnected, let connection = state.connection else { return }
        let wanted = state.current.flatMap { record in
            record.state.withLock { $0.content }.publication(of: record.id, type: record.type, at: environment.now())
        }
        let known = state.published
        // Requests no answer, which would wake a thread; only refusals matter.
        if let wanted {
            guard again || wanted != known, isItsTurn(&state, again: again) else { return }
            connection.send(.advertising(.publish(wanted)))
            state.withheld = nil
        } else {
            // A successor would replace the activity automatically.
            if let known, !connection.send(.advertising(.withdraw(known.activity))) { state.left = known.activity }
            state.published = nil
            let withheld = state.current.flatMap { record in
                record.state.withLock { $0.content }.withheld(record.id, type: record.type, at: environment.now())
            }
            let isUsed = again && withheld?.activity != nil
            guard isUsed || withheld != state.withheld else { return }
            if withheld?.activity != nil, !isItsTurn(&state, again: again) { return }
            connection.send(.advertising(.withhold(withheld)))
            state.withheld = withheld
        }
        state.published = wanted
    }

    /// Otherwise called again later, with all changes until then.
    private func isItsTurn(_ state: inout State, again: Bool) -> Bool {
        guard !state.pace.isWaiting(again: again) else { return false }
        guard let delay = state.pace.take(again: again, at: environment.instant()) else { return true }
        publish(after: delay)
        return false
    }

    private func publish(after delay: Duration) {
        environment.wait(delay) { [weak self] in
            self?.state.withLock { state in
                guard let again = state.pace.waited() else { return }
                self?.publish(&state, again: again)
            }
        }
    }

    /// Only publications request no answer, so a publication was refused.
    func refused(_ failure: Failure) {
        let isNews = state.withLock { state in
            defer { state.lastRefusal = failure }
            return state.lastRefusal != failure
        }
        if isNews { environment.log("the activity is not offered: \(failure)") }
    }
}

/// Paces and combines changes as the daemon does: `Limits.offerBurst` at once, then one each `Limits.offerSpacing`.
struct PublishingPace: Sendable {
    /// When the even pace would have sent the changes so far.
    private var workedOff: ContinuousClock.Instant?
    /// Whether to send the waiting change even if nothing differs; nil if none waits.
    private var waiting: Bool?

    mutating func isWaiting(again: Bool) -> Bool {
        guard let waiting else { return false }
        self.waiting = waiting || again
        return true
    }

    /// How long the change waits; nil if it is sent now, and is counted.
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

    /// Nil if the wait was cancelled.
    mutating func waited() -> Bool? { waiting.take() }
}
