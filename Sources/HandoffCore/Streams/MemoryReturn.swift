// SPDX-License-Identifier: Apache-2.0

/// When the memory that streams and documents needed is given back to the system. Otherwise the process keeps freed memory
/// for good, because something small that lives longer is above it.
package struct MemoryReturn {
    /// After the end of a stream or a document, unless another one ends in the meantime.
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

    package mutating func loadEnded(at now: Instant) {
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
