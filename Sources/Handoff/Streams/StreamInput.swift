// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The receiving direction of a stream: what `ContinuationInputStream` shows of it.
///
/// Reading is done under the lock, where it does not wait, so that what was counted is what has come. Order of locks: this,
/// then those of `StreamEvents` and of the poller.
final class StreamInput: Sendable {
    enum Outlook: Sendable {
        case bytes
        case nothing
        /// The bytes have ended, and the word about them is not here yet.
        case word
        /// Nothing more comes.
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
        /// Nil once it is of no use to this direction.
        var attached: AttachedStream?
        var arrival = StreamArrival()
        /// Asked of the clock, once.
        var isWordTimed = false
        /// Something was read since the delegate was told of bytes.
        var wantsEvent = true
        var waiters = StreamWaiters()

        /// Not open, or cut: nothing is read.
        var isCut: Bool {
            guard phase == .open else { return true }
            if case .cut? = arrival.ending { return true }
            return false
        }
    }

    let events = StreamEvents()
    private let state: Lock<State>
    private let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// The stream was cut, as is seen here.
    private let wasCut: @Sendable (Failure) -> Void

    /// `wait` runs its argument after so long; `wasCut` is called once at most, outside the lock.
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

    // MARK: What the app does

    func open() {
        change { state in
            guard state.phase == .notOpen else { return }
            state.phase = .open
            events.add(.openCompleted)
            watch(&state)
        }
    }

    /// As much as is there, without waiting. `waits`: where there is nothing, this thread counts as one that waits, and
    /// `waited` is due.
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

    /// Until bytes have come, or nothing more comes, or the task is cancelled.
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

    /// Whether bytes that the delegate is to be told of are still there; if not, it is told of the next.
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

    // MARK: What the daemon does

    func wordCame(_ end: StreamEnd) {
        change { state in
            state.arrival.wordCame(end)
            // What was not read yet is not looked at before the stream is open.
            if state.phase == .open { _ = look(&state) }
        }
    }

    /// No word comes any more.
    func wordLost(_ failure: Failure?) {
        change { state in
            state.arrival.wordLost(failure)
            if state.phase == .open { _ = look(&state) }
        }
    }

    // MARK: What it comes to

    /// Changes the state, and tells whoever waited for it, and the other direction of a cut, outside the lock.
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

    /// Has this looked at again when bytes come, if somebody waits for that.
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
        // The clock or the word ends that.
        case .word, .over: break
        }
    }
}
