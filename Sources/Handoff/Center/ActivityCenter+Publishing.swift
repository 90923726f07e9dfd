// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// What the daemon is told of what is current.

extension ActivityCenter {
    /// Brings the daemon up to date. `again`: even if it knows, for the user has just turned to it.
    ///
    /// What is offered is told at the pace at which other devices hear of it; that something is not offered any more is
    /// told at once.
    func publish(_ state: inout State, again: Bool = false) {
        guard state.isConnected, let connection = state.connection else { return }
        let wanted = state.current.flatMap { record in
            record.state.withLock { $0.content }.publication(of: record.id, type: record.type, at: environment.now())
        }
        let known = state.published
        // No answer is asked for: it would wake this process's other thread each time, and only a refusal says anything.
        if let wanted {
            guard again || wanted != known, !state.pace.isWaiting(again: again) else { return }
            if let delay = state.pace.take(again: again, at: environment.instant()) { return publish(after: delay) }
            connection.send(.advertising(.publish(wanted)))
        } else if let known {
            // Only where nothing follows: a successor takes the place of the one before by itself.
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

    /// What this process says without asking for an answer is what it offers.
    func refused(_ failure: Failure) {
        let isNews = state.withLock { state in
            defer { state.lastRefusal = failure }
            return state.lastRefusal != failure
        }
        if isNews { environment.log("the activity is not offered: \(failure)") }
    }
}

/// When the daemon may be told of another change: `Limits.offerBurst` at once, then one each `Limits.offerSpacing`, as it
/// passes them on itself. What comes in between waits, and goes as one.
struct PublishingPace: Sendable {
    /// When all that was told so far would be worked off at the even pace; nil before the first.
    private var workedOff: ContinuousClock.Instant?
    /// Not nil while a change waits: whether it is to be told even if it is known.
    private var waiting: Bool?

    /// True if a change waits already, which this one then goes with.
    mutating func isWaiting(again: Bool) -> Bool {
        guard let waiting else { return false }
        self.waiting = waiting || again
        return true
    }

    /// Nil: a change may go now, and is counted. Else it waits from now on, for so long.
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

    /// The wait is over. Nil if it was given up meanwhile.
    mutating func waited() -> Bool? { waiting.take() }
}
