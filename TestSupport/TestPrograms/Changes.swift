// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffSystem

/// Notifies waiting tests of every output or end of any program. It is shared, so a test that waits for one program is
/// woken by all.
final class Changes: Sendable {
    static let all = Changes()

    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let alarms = DispatchQueue(label: "programs of tests")

    /// Changes so far.
    var count: Int { state.withLock { $0.count } }

    func happened() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.resume() }
    }

    /// Returns once `count` differs from `seen`.
    func next(after seen: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count == seen { state.waiting.append(continuation) }
                return state.count != seen
            }
            if isThere { continuation.resume() }
        }
    }

    /// Wakes all waiting tests after that time, unless it is cancelled.
    func alarm(in bound: Duration) -> DispatchWorkItem {
        let alarm = DispatchWorkItem { [self] in happened() }
        alarms.asyncAfter(deadline: .now() + bound / .seconds(1), execute: alarm)
        return alarm
    }
}
