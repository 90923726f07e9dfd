// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffCore
import HandoffSystem
import Testing

/// The daemon's loop, run by the test's own thread.
final class TestLoop: Sendable {
    private let work = Lock<[@Sendable () -> Void]>([])
    private let arrived = DispatchSemaphore(value: 0)
    /// Used only on the loop.
    nonisolated(unsafe) var exits: [AppExit] = []
    /// Calls run on it, used only on the loop.
    nonisolated(unsafe) private(set) var turns = 0

    func queue(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        arrived.signal()
    }

    /// False if nothing happens for ten seconds.
    func run(until condition: () -> Bool) -> Bool {
        while !condition() {
            guard arrived.wait(timeout: .now() + 10) == .success else { return condition() }
            let next = work.withLock { $0.removeFirst() }
            next()
            turns += 1
        }
        return true
    }

    func nextExit() throws -> AppExit {
        try #require(run { !exits.isEmpty }, "no exit was reported within ten seconds")
        return exits.removeFirst()
    }
}
