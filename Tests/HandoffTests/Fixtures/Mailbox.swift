// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffClient
import HandoffSystem

/// Events from elsewhere, in order, for a test that waits for them with a bound.
final class Mailbox<Element: Sendable>: Sendable {
    struct NothingCame: Error {}

    private struct State {
        var elements: [Element] = []
        var waiters: [(id: UInt64, continuation: CheckedContinuation<Element?, Never>)] = []
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    func post(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.waiters.isEmpty else {
                state.elements.append(element)
                return nil
            }
            return state.waiters.removeFirst().continuation
        }
        waiter?.resume(returning: element)
    }

    /// The next event. The bound is only reached in a broken test, and is wide because tests share the machine.
    func next(within seconds: Int = 30) async throws -> Element {
        let element = await withCheckedContinuation { (continuation: CheckedContinuation<Element?, Never>) in
            let (ready, id) = state.withLock { state -> (Element?, UInt64) in
                guard state.elements.isEmpty else { return (state.elements.removeFirst(), 0) }
                state.lastID += 1
                state.waiters.append((state.lastID, continuation))
                return (nil, state.lastID)
            }
            if let ready { return continuation.resume(returning: ready) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { self.expire(id) }
        }
        guard let element else { throw NothingCame() }
        // The thread sanitizer recognizes the ordering of a lock, but not that of a continuation.
        state.withLock { _ in }
        return element
    }

    var waiting: [Element] { state.withLock { $0.elements } }

    private func expire(_ id: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
        waiter?.resume(returning: nil)
    }
}
