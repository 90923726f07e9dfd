// SPDX-License-Identifier: Apache-2.0

import HandoffSystem

/// Passes calls from other threads to a loop that ends before they do. Threads that wait for a program or a disk report
/// at any time, but a loop accepts nothing after its shutdown.
package final class LoopGate: Sendable {
    private let onLoop: Lock<OnLoop?>

    package init(_ onLoop: @escaping OnLoop) { self.onLoop = Lock(onLoop) }

    /// Dropped after `close`. Called within the lock, so that nothing reaches the loop after `close`.
    package func pass(_ body: @escaping @Sendable () -> Void) { onLoop.withLock { $0?(body) } }

    /// Call before the loop is shut down. Earlier calls are then on the loop.
    package func close() { onLoop.withLock { $0 = nil } }
}

/// Runs a closure on the daemon's loop, from any thread, in the order of the calls.
package typealias OnLoop = @Sendable (@escaping @Sendable () -> Void) -> Void
