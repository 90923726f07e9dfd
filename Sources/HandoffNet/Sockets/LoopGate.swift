// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import NIOCore

/// A loop accepts nothing after its shutdown.
///
/// A loop reads its sockets once no task is left, and threads may add tasks faster than it runs them. So after a turn,
/// calls wait until it has read its sockets.
package final class LoopGate: Sendable {
    static let turn = TimeAmount.milliseconds(1)
    /// The loop reads its sockets before a task that is not due yet.
    static let pause = TimeAmount.microseconds(50)

    private struct State {
        var isOpen = true
        var calls: [@Sendable () -> Void] = []
        var hasTask = false
        var turnEnd = NIODeadline.uptimeNanoseconds(0)
        var lastCall = NIODeadline.uptimeNanoseconds(0)
    }

    private let loop: any EventLoop
    private let state = Lock(State())

    package init(to loop: any EventLoop) { self.loop = loop }

    /// In order. Does nothing once the gate is closed.
    package func pass(_ call: @escaping @Sendable () -> Void) {
        // Within the lock, so that nothing reaches the loop after `close`.
        state.withLock { state in
            guard state.isOpen else { return }
            state.calls.append(call)
            guard !state.hasTask else { return }
            state.hasTask = true
            loop.execute { self.takeTurn() }
        }
    }

    /// Before the loop's shutdown.
    package func close() { state.withLock { $0.isOpen = false } }

    private func takeTurn() {
        var now = NIODeadline.now()
        // Another turn only after a rest: calls that arrive one by one are a single turn too.
        state.withLock { if now - $0.lastCall > Self.turn { $0.turnEnd = now + Self.turn } }
        while let call = next(at: now) {
            call()
            now = .now()
        }
    }

    /// Nil: the task ends.
    private func next(at now: NIODeadline) -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.lastCall = now
            guard !state.calls.isEmpty else {
                state.hasTask = false
                return nil
            }
            guard now < state.turnEnd else {
                loop.scheduleTask(in: Self.pause) {
                    self.state.withLock { $0.turnEnd = .now() + Self.turn }
                    self.takeTurn()
                }
                return nil
            }
            return state.calls.removeFirst()
        }
    }
}
