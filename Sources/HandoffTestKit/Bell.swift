// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Wakes all listeners. Rings on any thread; rings before a listener runs are combined.
final class Bell: Sendable {
    typealias Listening = AsyncStream<Void>.Continuation

    private struct State: Sendable {
        var last = 0
        var listeners: [Int: Listening] = [:]
    }

    private let state = Mutex(State())

    func ring() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Listens until `finish`; earlier rings are still delivered.
    func listen() -> (rings: AsyncStream<Void>, listening: Listening) {
        let (rings, listening) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listening
            return state.last
        }
        listening.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return (rings, listening)
    }
}
