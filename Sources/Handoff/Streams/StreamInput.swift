// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// Reads do not block. The lock covers them, so that the count equals the received bytes. Lock order: this lock, then
/// those of `StreamEvents` and the poller.
final class StreamInput: Sendable {
    enum Outlook: Sendable {
        case bytes
        case nothing
        /// The bytes have ended; the daemon's end message is still missing.
        case word
        /// Nothing more will arrive.
        case over
    }

    enum Step {
        case moved(Int)
        case ended
        case failed
        case wait(AttachedStream, forWord: Bool)
    }

    private struct State: Sendable {
        var phase = StreamPhase.notOpen
        var error: CocoaError?
        /// Nil once this direction no longer needs it.
        var attached: AttachedStream?
        var arrival = StreamArrival()
        /// The timeout for the end message was started; once.
        var isWordTimed = false
        /// Bytes were read since the delegate's last notification.
        var wantsEvent = true
        var waiters = StreamWaiters()

        /// Nothing may be read: not open, or cut.
        var isCut: Bool {
            guard phase == .open else { return true }
            if case .cut? = arrival.ending { return true }
            return false
        }
    }

    let events = StreamEvents()
    private let state: Lock<State>
    private let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let wasCut: @Sendable (Failure) -> Void

    /// `wait` runs its argument after the given time. `wasCut` is called at most once, outside the lock.
    init(
        _ attached: AttachedStream, wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
        wasCut: @escaping @Sendable (Failure) -> Void
    ) {
        state = Lock(State(attached: attached))
        self.wait = wait
        self.wasCut = wasCut
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

    /// `waits`: without bytes, this thread is registered and must call `waited`.
    func read(into buffer: UnsafeMutableRawBufferPointer, waits: Bool = false) -> Step {
        change { state in
            if !state.isCut, case .moved(let count)? = state.attached?.socket.read(into: buffer) {
                state.arrival.received(count)
                state.wantsEvent = true
                watch(&state)
                return .moved(count)
            }
            guard look(&state) != .over, let attached = state.attached else {
                return state.phase == .atEnd ? .ended : .failed
            }
            if waits { state.waiters.threadWaits() }
            return .wait(attached, forWord: state.arrival.isWaitingForWord)
        }
    }

    func waited() { state.withLock { $0.waiters.threadWaited() } }

    /// Returns with bytes, at the end, or if the task is cancelled.
    func ready() async {
        await StreamWaiters.wait { id, continuation in
            let isWaiting = change { state in
                let outlook = look(&state)
                guard outlook == .nothing || outlook == .word else { return false }
                state.waiters.add(id, continuation)
                watch(&state)
                return true
            }
            if !isWaiting { continuation.resume() }
        } cancel: { id in
            self.state.withLock { $0.waiters.remove(id) }?.resume()
        }
    }

    var hasBytes: Bool { change { look(&$0) == .bytes } }

    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        change { state in
            // A closed stream is on no run loop.
            guard state.phase != .closed else { return }
            events.schedule(in: runLoop, forMode: mode)
            watch(&state)
        }
    }

    /// If the pending event's bytes are gone, the delegate is notified of the next bytes.
    func hasBytesForEvent() -> Bool {
        change { state in
            let isDue = look(&state) == .bytes
            if !isDue {
                state.wantsEvent = true
                watch(&state)
            }
            return isDue
        }
    }

    func close() {
        change { state in
            state.phase = .closed
            events.end()
            leave(&state)
        }
    }

    // MARK: Messages from the daemon

    func wordCame(_ end: StreamEnd) {
        change { state in
            state.arrival.wordCame(end)
            // Before the stream is open, unread bytes are not examined.
            if state.phase == .open { _ = look(&state) }
        }
    }

    /// No end message will arrive.
    func wordLost(_ failure: Failure?) {
        change { state in
            state.arrival.wordLost(failure)
            if state.phase == .open { _ = look(&state) }
        }
    }

    // MARK: State changes

    /// Afterwards, outside the lock, wakes waiters and notifies the other direction of a cut.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, resumed, cut) = state.withLock { state in
            let before = state.phase
            let result = body(&state)
            var cut: Failure?
            if before != state.phase, state.phase == .failed, case .cut(let failure)? = state.arrival.ending {
                cut = failure
            }
            return (result, state.waiters.takeResumed(), cut)
        }
        for continuation in resumed { continuation.resume() }
        if let cut { wasCut(cut) }
        return result
    }

    private func look(_ state: inout State) -> Outlook {
        guard state.phase == .open, let attached = state.attached else { return .over }
        if state.isCut { return settle(&state) }
        switch attached.socket.peek() {
        case .moved: return .bytes
        case .wouldBlock: return .nothing
        case .ended:
            state.arrival.bytesEnded()
            if state.arrival.ending != nil { return settle(&state) }
            if !state.isWordTimed {
                state.isWordTimed = true
                wait(StreamArrival.wordPatience) { [weak self] in self?.wordLost(nil) }
            }
            return .word
        }
    }

    private func settle(_ state: inout State) -> Outlook {
        if case .cut(let failure)? = state.arrival.ending {
            state.phase = .failed
            state.error = failure.streamError
            events.add(.errorOccurred)
        } else {
            state.phase = .atEnd
            events.add(.endEncountered)
        }
        leave(&state)
        return .over
    }

    private func leave(_ state: inout State) {
        state.attached?.forget(.reading)
        state.attached = nil
        state.waiters.callAll()
    }

    /// For a waiting delegate or task.
    private func watch(_ state: inout State) {
        guard state.phase == .open, let attached = state.attached else { return }
        let tellsDelegate = state.wantsEvent && events.isScheduled
        guard tellsDelegate || state.waiters.hasTasks else { return }
        switch look(&state) {
        case .bytes:
            state.waiters.resumeTasks()
            if tellsDelegate {
                state.wantsEvent = false
                events.add(.hasBytesAvailable)
            }
        case .nothing:
            attached.whenReady(for: .reading) { [weak self] in self?.change { self?.watch(&$0) } }
        // The timeout or the end message ends this.
        case .word, .over: break
        }
    }
}
