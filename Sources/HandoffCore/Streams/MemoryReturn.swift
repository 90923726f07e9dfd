// SPDX-License-Identifier: Apache-2.0

/// When the memory that streams needed goes back to the system. What was freed stays with the process otherwise, for good:
/// something small that lives on lies above it.
package struct MemoryReturn {
    /// After the end of a stream, unless another one ends meanwhile.
    package static let rest: Duration = .seconds(2)
    /// However many end one after the other.
    package static let longestWait: Duration = .seconds(10)

    private enum State {
        /// Nothing ended since the last time. Can transition to: due.
        case resting
        /// Can transition to: resting.
        case due(Instant, atLatest: Instant)
    }

    private var state = State.resting

    package init() {}

    package var nextDeadline: Instant? {
        switch state {
        case .resting: nil
        case .due(let instant, _): instant
        }
    }

    package mutating func streamEnded(at now: Instant) {
        let soon = now.advanced(by: Self.rest)
        switch state {
        case .resting: state = .due(soon, atLatest: now.advanced(by: Self.longestWait))
        case .due(_, let latest): state = .due(min(soon, latest), atLatest: latest)
        }
    }

    /// True: give it back now.
    package mutating func deadlineReached(at now: Instant) -> Bool {
        guard let nextDeadline, nextDeadline <= now else { return false }
        state = .resting
        return true
    }
}
