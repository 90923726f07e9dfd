// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A continuation that a program on the user's bus has started, as that program hears of it: progress, then exactly one end.
package struct WatchedContinuationStateMachine: ~Copyable {
    private enum Phase {
        /// The daemon has not said how it calls it. Can transition to: running, cancelling, ended.
        case starting
        /// Can transition to: ended.
        case running(ContinuationID)
        /// It is to be cancelled as soon as the daemon says how it calls it. Can transition to: running, ended.
        case cancelling
        case ended
    }

    private var phase = Phase.starting
    /// Nobody else could take its result.
    private let isForCaller: Bool

    /// `isForCaller`: its state goes to the caller, and to no app.
    package init(isForCaller: Bool) { self.isForCaller = isForCaller }

    package enum Action: Hashable, Sendable {
        case tellProgress
        case tellProgressAndCancel(ContinuationID)
        case cancel(ContinuationID)
        /// The caller is to hear of the end, once.
        case tellEnd
        case nothing
    }

    package mutating func progressed(_ continuation: ContinuationID?) -> Action {
        switch (phase, continuation) {
        case (.starting, let continuation?):
            phase = .running(continuation)
            return .tellProgress
        case (.cancelling, let continuation?):
            phase = .running(continuation)
            return .tellProgressAndCancel(continuation)
        case (.starting, nil), (.cancelling, nil), (.running, _): return .tellProgress
        case (.ended, _): return .nothing
        }
    }

    /// With or without success, or because the daemon is gone.
    package mutating func ended() -> Action {
        switch phase {
        case .starting, .running, .cancelling:
            phase = .ended
            return .tellEnd
        case .ended: return .nothing
        }
    }

    /// The daemon tells the end then.
    package mutating func cancelled() -> Action {
        switch phase {
        case .starting:
            phase = .cancelling
            return .nothing
        case .running(let continuation): return .cancel(continuation)
        case .cancelling, .ended: return .nothing
        }
    }

    /// Nobody hears of it any more. An app goes on without whoever asked.
    package mutating func callerLeft() -> Action {
        defer { phase = .ended }
        switch phase {
        case .running(let continuation) where isForCaller: return .cancel(continuation)
        case .starting, .running, .cancelling, .ended: return .nothing
        }
    }
}
