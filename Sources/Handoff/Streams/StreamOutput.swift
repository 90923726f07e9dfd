// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// As in `StreamInput`, writes do not block, and the lock covers them. Same lock order.
final class StreamOutput: Sendable {
    enum Step {
        case moved(Int)
        case failed
        case wait(AttachedStream)
    }

    fileprivate struct State: Sendable {
        var phase = StreamPhase.notOpen
        var error: CocoaError?
        var attached: AttachedStream?
        var byteCount: UInt64 = 0
        /// Bytes were written since the delegate's last notification.
        var wantsEvent = true
        var waiters = StreamWaiters()
    }

    let events = StreamEvents()
    private let state: Lock<State>
    /// Reports the total number of bytes to the daemon, before their end.
    private let say: @Sendable (_ byteCount: UInt64) -> Void

    init(_ attached: AttachedStream, say: @escaping @Sendable (_ byteCount: UInt64) -> Void) {
        state = Lock(State(attached: attached))
        self.say = say
    }

    var phase: StreamPhase { state.withLock { $0.phase } }
    var error: CocoaError? { state.withLock { $0.error } }

    // MARK: Calls by the app

    func open() {
        change { state in
            guard state.phase == .notOpen else { return }
            state.phase = .open
            events.add(.openCompleted)
            watch(&state)
        }
    }

    /// `waits`: as in `StreamInput`.
    func write(_ bytes: UnsafeRawBufferPointer, waits: Bool = false) -> Step {
        change { state in
            guard state.phase == .open, let attached = state.attached else { return .failed }
            switch attached.socket.write(bytes) {
            case .moved(let count):
                state.byteCount += UInt64(count)
                state.wantsEvent = true
                watch(&state)
                return .moved(count)
            case .wouldBlock:
                if waits { state.waiters.threadWaits() }
                return .wait(attached)
            case .ended:
                fail(Failure(.streamCut, "the stream was interrupted: the written data is not read"), &state)
                return .failed
            }
        }
    }

    func waited() { state.withLock { $0.waiters.threadWaited() } }

    /// Like `StreamInput.ready`, for space.
    func ready() async {
        await StreamWaiters.wait { id, continuation in
            let isWaiting = change { state in
                guard state.phase == .open else { return false }
                state.waiters.add(id, continuation)
                watch(&state)
                return true
            }
            if !isWaiting { continuation.resume() }
        } cancel: { id in
            self.state.withLock { $0.waiters.remove(id) }?.resume()
        }
    }

    var hasSpace: Bool { state.withLock { $0.hasSpace } }

    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        change { state in
            guard state.phase != .closed else { return }
            events.schedule(in: runLoop, forMode: mode)
            watch(&state)
        }
    }

    /// Like `StreamInput.hasBytesForEvent`.
    func hasSpaceForEvent() -> Bool {
        change { state in
            let isDue = state.hasSpace
            if !isDue {
                state.wantsEvent = true
                watch(&state)
            }
            return isDue
        }
    }

    /// Ends this direction and reports its length; the other direction continues.
    func close() {
        let (attached, byteCount) = change { state -> (AttachedStream?, UInt64) in
            defer {
                state.phase = .closed
                events.end()
                leave(&state)
            }
            return (state.attached, state.byteCount)
        }
        guard let attached else { return }
        say(byteCount)
        attached.socket.endWriting()
    }

    // MARK: Messages from the daemon

    func cut(_ failure: Failure) {
        change { state in
            if state.phase == .open || state.phase == .notOpen { fail(failure, &state) }
        }
    }

    // MARK: State changes

    /// As in `StreamInput`.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, resumed) = state.withLock { state in
            let result = body(&state)
            return (result, state.waiters.takeResumed())
        }
        for continuation in resumed { continuation.resume() }
        return result
    }

    private func fail(_ failure: Failure, _ state: inout State) {
        state.phase = .failed
        state.error = failure.streamError
        events.add(.errorOccurred)
        leave(&state)
    }

    private func leave(_ state: inout State) {
        state.attached?.forget(.writing)
        state.attached = nil
        state.waiters.callAll()
    }

    /// For a waiting delegate or task.
    private func watch(_ state: inout State) {
        guard state.phase == .open, let attached = state.attached else { return }
        let tellsDelegate = state.wantsEvent && events.isScheduled
        guard tellsDelegate || state.waiters.hasTasks else { return }
        guard state.hasSpace else {
            return attached.whenReady(for: .writing) { [weak self] in self?.change { self?.watch(&$0) } }
        }
        state.waiters.resumeTasks()
        if tellsDelegate {
            state.wantsEvent = false
            events.add(.hasSpaceAvailable)
        }
    }
}

extension StreamOutput.State {
    fileprivate var hasSpace: Bool { phase == .open && attached?.socket.isReady(for: .writing) == true }
}
