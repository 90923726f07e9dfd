// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// Has something called on a run loop in one of its modes, asked for from any thread. While it is there, the run loop has
/// something to wait for, and `run(mode:before:)` returns after each call, as after any input source.
///
/// Foundation's own for this system shows no CFRunLoop. It has a source, `RunLoop._Source`, which does not wake its run
/// loop; and setting a timer's date from another thread does, whatever the date.
//
// Unchecked: a run loop of CoreFoundation may be added to, removed from and woken on any thread; the references are
// constant but for `source`, which is used within the lock of `StreamEvents` alone.
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
        // It may be waiting for what has gone. The timer wakes it, and goes once it has fired.
        alarm.fireDate = Date()
        // The source may be about to be called there, and the run loop does not hold it.
        let kept = Kept(source: source)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { withExtendedLifetime(kept) {} }
    }

    /// Far longer than from a run loop's choice of what it calls to the call.
    private static let grace = DispatchTimeInterval.seconds(10)

    /// Unchecked: nobody looks into it.
    private struct Kept: @unchecked Sendable { let source: Source }
}
