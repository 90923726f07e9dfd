// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem

/// Each event for a stream's delegate is delivered once, on the first scheduled run loop that runs in its mode.
final class StreamEvents: Sendable {
    /// Unchecked: the references are only passed on; by contract a delegate is called on the run loops that it chose.
    private struct Audience: @unchecked Sendable {
        weak var stream: Stream?
        weak var delegate: (any StreamDelegate)?
    }

    private struct State: Sendable {
        var audience = Audience()
        /// A set of `Stream.Event`.
        var pending: UInt = 0
        var sources: [RunLoopSource] = []
        var isOver = false
    }

    private let state = Lock(State())

    private static let order: [Stream.Event] = [
        .openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .errorOccurred, .endEncountered,
    ]

    var isScheduled: Bool { state.withLock { !$0.sources.isEmpty } }

    /// Held weakly.
    func set(_ stream: Stream) { state.withLock { $0.audience.stream = stream } }

    /// Held weakly. A delegate that is set late receives the pending events.
    var delegate: (any StreamDelegate)? {
        get { state.withLock { $0.audience }.delegate }
        set {
            let audience = Audience(delegate: newValue)
            state.withLock { state in
                state.audience.delegate = audience.delegate
                signal(&state)
            }
        }
    }

    func add(_ event: Stream.Event) {
        let rawValue = event.rawValue
        state.withLock { state in
            guard !state.isOver else { return }
            state.pending |= rawValue
            signal(&state)
        }
    }

    /// Also leaves the run loops.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.pending = 0
            for source in state.sources { source.remove() }
            state.sources = []
        }
    }

    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let source = RunLoopSource(runLoop, mode)
        state.withLock { state in
            guard !state.isOver, !state.sources.contains(where: { $0.is(source) }) else { return }
            source.add { [weak self] in self?.tell() }
            state.sources.append(source)
            signal(&state)
        }
    }

    func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let source = RunLoopSource(runLoop, mode)
        state.withLock { state in
            guard let index = state.sources.firstIndex(where: { $0.is(source) }) else { return }
            state.sources.remove(at: index).remove()
        }
    }

    private func signal(_ state: inout State) {
        guard state.pending != 0 else { return }
        for source in state.sources { source.signal() }
    }

    /// Later events wait for the run loop's next turn, so that a constant flow of bytes does not monopolize it.
    private func tell() {
        let gathered = state.withLock { $0.audience.delegate == nil ? 0 : $0.pending }
        for event in Self.order where Stream.Event(rawValue: gathered).contains(event) {
            let rawValue = event.rawValue
            // The delegate may have closed the stream in the previous call.
            let audience = state.withLock { state in
                defer { state.pending &= ~rawValue }
                return state.pending & rawValue == 0 ? Audience() : state.audience
            }
            guard let stream = audience.stream, let delegate = audience.delegate, stream.isDue(event) else { continue }
            delegate.stream(stream, handle: event)
        }
    }
}

extension Stream {
    fileprivate func isDue(_ event: Stream.Event) -> Bool {
        switch event {
        case .hasBytesAvailable: (self as? ContinuationInputStream)?.input.hasBytesForEvent() == true
        case .hasSpaceAvailable: (self as? ContinuationOutputStream)?.output.hasSpaceForEvent() == true
        default: true
        }
    }
}
