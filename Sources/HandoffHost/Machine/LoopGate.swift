// SPDX-License-Identifier: Apache-2.0

import HandoffSystem

/// Passes calls from other threads to a loop, which accepts nothing after its shutdown.
package final class LoopGate: Sendable {
    private let onLoop: Lock<OnLoop?>

    package init(_ onLoop: @escaping OnLoop) { self.onLoop = Lock(onLoop) }

    /// Within the lock, so that nothing reaches the loop after `close`.
    package func pass(_ body: @escaping @Sendable () -> Void) { onLoop.withLock { $0?(body) } }

    /// Before the loop's shutdown.
    package func close() { onLoop.withLock { $0 = nil } }
}

/// Runs a closure on the daemon's loop, from any thread, in order.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
