// SPDX-License-Identifier: Apache-2.0

import HandoffCore

/// When to return the memory of streams and documents to the system. Otherwise the process keeps freed memory, because
/// small allocations with a longer life are above it.
struct MemoryReturn {
    /// After the end of a stream or a document, unless another one ends first.
    static let rest: Duration = .seconds(2)
    /// The maximum wait, even if more streams keep ending.
    static let longestWait: Duration = .seconds(10)

    private enum State {
        /// Can transition to: due.
        case resting
        /// Can transition to: resting.
        case due(Instant, atLatest: Instant)
    }

    private var state = State.resting

    init() {}

    var nextDeadline: Instant? {
        switch state {
        case .resting: nil
        case .due(let instant, _): instant
        }
    }

    mutating func loadEnded(at now: Instant) {
        let soon = now.advanced(by: Self.rest)
        switch state {
        case .resting: state = .due(soon, atLatest: now.advanced(by: Self.longestWait))
        case .due(_, let latest): state = .due(min(soon, latest), atLatest: latest)
        }
    }

    mutating func deadlineReached(at now: Instant) -> Bool {
        guard let nextDeadline, nextDeadline <= now else { return false }
        state = .resting
        return true
    }
}
