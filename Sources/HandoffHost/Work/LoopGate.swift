// SPDX-License-Identifier: Apache-2.0

import HandoffSystem

/// Passes calls from other threads to a loop. Threads that wait for a program or a disk may report after the loop's
/// shutdown, when it accepts nothing.
package final class LoopGate: Sendable {
    private let onLoop: Lock<OnLoop?>

    package init(_ onLoop: @escaping OnLoop) { self.onLoop = Lock(onLoop) }

    /// Drops the call after `close`. Passes it within the lock, so that none reaches the loop after `close`.
    package func pass(_ body: @escaping @Sendable () -> Void) { onLoop.withLock { $0?(body) } }

    /// Call before the loop is shut down.
    package func close() { onLoop.withLock { $0 = nil } }
}

/// Runs a closure on the daemon's loop, from any thread, in the order of the calls.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
