// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// Schedules calls on a run loop in one of its modes, from any thread. `run(mode:before:)` returns after each call, as
/// for any input source.
///
/// Foundation on Linux does not expose CFRunLoop. Its `RunLoop._Source` does not wake the run loop, but setting a
/// timer's date from another thread does.
//
// Unchecked: CoreFoundation's run loops may be changed and woken on any thread. The references are constant except
// `source`, which is used only under the lock of `StreamEvents`.
final class RunLoopSource: @unchecked Sendable {
    private final class Source: RunLoop._Source {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
        }

        override func perform() { body() }
    }

    private let runLoop: RunLoop
    private let mode: RunLoop.Mode
    private let alarm = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    private var source: Source?

    init(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
        self.runLoop = runLoop
        self.mode = mode
    }

    func `is`(_ other: RunLoopSource) -> Bool { runLoop === other.runLoop && mode == other.mode }

    func add(_ body: @escaping @Sendable () -> Void) {
        let source = Source(body)
        self.source = source
        runLoop._add(source, forMode: mode)
        runLoop.add(alarm, forMode: mode)
    }

    func signal() {
        source?.signal()
        alarm.fireDate = .distantFuture
    }

    func remove() {
        guard let source else { return }
        runLoop._remove(source, for: mode)
        self.source = nil
        guard RunLoop.current !== runLoop else { return alarm.invalidate() }
        // The run loop may be waiting for the removed source. The timer wakes it, and is then invalidated.
        alarm.fireDate = Date()
        // The run loop may be about to call the source, which it does not retain.
        let kept = Kept(source: source)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { withExtendedLifetime(kept) {} }
    }

    /// Far longer than from a source's selection to its call.
    private static let grace = DispatchTimeInterval.seconds(10)

    /// Unchecked: the content is never accessed.
    private struct Kept: @unchecked Sendable { let source: Source }
}
