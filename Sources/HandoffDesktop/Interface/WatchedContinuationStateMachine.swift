// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// A continuation that a program on the user's bus has started, as reported to that program: progress, then exactly one
/// end.
struct WatchedContinuationStateMachine: ~Copyable {
    private enum Phase {
        /// The daemon has not sent the continuation's ID. Can transition to: running, cancelling, ended.
        case starting
        /// Can transition to: ended.
        case running(ContinuationID)
        /// Cancelled as soon as the daemon sends the ID. Can transition to: running, ended.
        case cancelling
        case ended
    }

    private var phase = Phase.starting
    private let isForCaller: Bool

    /// `isForCaller`: the state is for the caller and not for an app.
    init(isForCaller: Bool) { self.isForCaller = isForCaller }

    enum Action: Hashable, Sendable {
        case tellProgress
        case tellProgressAndCancel(ContinuationID)
        case cancel(ContinuationID)
        case tellEnd
        case nothing
    }

    mutating func progressed(_ continuation: ContinuationID?) -> Action {
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

    mutating func ended() -> Action {
        switch phase {
        case .starting, .running, .cancelling:
            phase = .ended
            return .tellEnd
        case .ended: return .nothing
        }
    }

    /// The daemon then reports the end.
    mutating func cancelled() -> Action {
        switch phase {
        case .starting:
            phase = .cancelling
            return .nothing
        case .running(let continuation): return .cancel(continuation)
        case .cancelling, .ended: return .nothing
        }
    }

    /// No more reports are sent. A continuation in an app continues without the caller.
    mutating func callerLeft() -> Action {
        defer { phase = .ended }
        switch phase {
        case .running(let continuation) where isForCaller: return .cancel(continuation)
        case .starting, .running, .cancelling, .ended: return .nothing
        }
    }
}
