// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffSystem

/// Whenever a program said something or ended: one for all of them, so that who waits for one hears of the others too.
final class Changes: Sendable {
    static let all = Changes()

    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let alarms = DispatchQueue(label: "programs of tests")

    /// So many so far.
    var count: Int { state.withLock { $0.count } }

    func happened() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.resume() }
    }

    /// Returns when there are more than `seen`.
    func next(after seen: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count == seen { state.waiting.append(continuation) }
                return state.count != seen
            }
            if isThere { continuation.resume() }
        }
    }

    /// Wakes all who wait, as if something had happened, unless it is cancelled before.
    func alarm(in bound: Duration) -> DispatchWorkItem {
        let alarm = DispatchWorkItem { [self] in happened() }
        alarms.asyncAfter(deadline: .now() + bound / .seconds(1), execute: alarm)
        return alarm
    }
}
