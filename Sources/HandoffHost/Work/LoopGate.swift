// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

/// The way of other threads to a loop that ends before they do. A thread that waits for a program or for a disk reports
/// when it can, and a loop must not be given anything once it was shut down.
package final class LoopGate: Sendable {
    private let onLoop: Lock<OnLoop?>

    package init(_ onLoop: @escaping OnLoop) { self.onLoop = Lock(onLoop) }

    /// Dropped after `close`. Within the lock, so that nothing that passed reaches the loop after it.
    package func pass(_ body: @escaping @Sendable () -> Void) { onLoop.withLock { $0?(body) } }

    /// Before the loop is shut down. Reports that passed before it are on the loop.
    package func close() { onLoop.withLock { $0 = nil } }
}
