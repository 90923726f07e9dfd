// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import HandoffSystem

/// An sd-event loop. One thread calls all handlers; only `execute` may be called from other threads.
package final class BusLoop {
    let event: OpaquePointer
    package let queue = LoopQueue()
    private var wakes: LoopWatch?

    package init() throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(sd_event_new(&made), "cannot create an event loop")
        guard let made else { throw BusFailure(BusFailure.failed, "cannot create an event loop") }
        event = made
        guard queue.wake.descriptor >= 0 else {
            throw BusFailure(BusFailure.failed, "this process has no free file descriptor")
        }
        wakes = try watch(queue.wake.descriptor) { [queue] in queue.run() }
    }

    deinit {
        wakes = nil
        sd_event_unref(event)
    }

    package func run() -> CInt { sd_event_loop(event) }

    /// Handles one event. False if the loop has ended.
    package func runOnce(for time: Duration) -> Bool {
        sd_event_run(event, time.microseconds) >= 0 && sd_event_get_state(event) != SD_EVENT_FINISHED
    }

    package func exit(_ code: CInt) { sd_event_exit(event, code) }

    /// Calls `handler` when the descriptor is readable or closed, while the watch is retained.
    package func watch(_ descriptor: CInt, _ handler: @escaping () -> Void) throws(BusFailure) -> LoopWatch {
        let watch = LoopWatch(handler)
        try BusFailure.check(
            sd_event_add_io(
                event, &watch.source, descriptor, UInt32(EPOLLIN.rawValue),
                { _, _, _, watch in LoopWatch.call(watch) }, Unmanaged.passUnretained(watch).toOpaque()),
            "cannot watch a file")
        return watch
    }

    /// Calls `handler` once if the watch is still retained. The time includes suspend.
    package func after(_ time: Duration, _ handler: @escaping () -> Void) -> LoopWatch {
        let watch = LoopWatch(handler)
        sd_event_add_time_relative(
            event, &watch.source, CLOCK_BOOTTIME, time.microseconds, 1000,
            { _, _, watch in LoopWatch.call(watch) }, Unmanaged.passUnretained(watch).toOpaque())
        return watch
    }

    /// Runs `work`, which may block, on a thread, then `then` on the loop. False, without either, if there is no
    /// thread.
    package func runOnThread<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, then: @escaping (Answer) -> Void
    ) -> Bool {
        // Only called on the loop.
        nonisolated(unsafe) let then = then
        return DetachedThread.begin { [queue] in
            let answer = work()
            queue.execute { then(answer) }
        }
    }

    /// Ends the loop with 0. Call this before starting threads, which would receive the signals.
    package func endOn(_ signals: [CInt]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // Without a handler, the signal ends the loop with this argument.
        for signal in signals { sd_event_add_signal(event, nil, signal, nil, nil) }
    }

    /// If the service manager expects it.
    package func keepWatchdog() { sd_event_set_watchdog(event, 1) }
}

package final class LoopWatch {
    fileprivate var source: OpaquePointer?
    private let handler: () -> Void

    fileprivate init(_ handler: @escaping () -> Void) { self.handler = handler }

    deinit { sd_event_source_disable_unref(source) }

    package func cancel() {
        sd_event_source_disable_unref(source)
        source = nil
    }

    fileprivate static func call(_ pointer: UnsafeMutableRawPointer?) -> CInt {
        // Retained during the call, because the handler may release it.
        guard let pointer else { return 0 }
        let watch = Unmanaged<LoopWatch>.fromOpaque(pointer).takeUnretainedValue()
        withExtendedLifetime(watch) { watch.handler() }
        return 0
    }
}

package final class LoopQueue: Sendable {
    let wake = WakeSignal()
    private let waiting = Lock<[@Sendable () -> Void]>([])

    package func execute(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(work) }
        wake.signal()
    }

    func run() {
        wake.clear()
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for work in due { work() }
    }
}

extension Duration {
    /// Rounded down, not below zero.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return whole.overflow ? .max - 1 : whole.partialValue + UInt64(attoseconds / 1_000_000_000_000)
    }
}
