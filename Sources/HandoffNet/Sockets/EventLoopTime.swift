// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HandoffCore
package import HandoffWire
package import NIOCore

/// Without an alarm, the loop sleeps.
package final class EventLoopTime: TimeSource {
    private let loop: any EventLoop

    package init(loop: any EventLoop) { self.loop = loop }

    package var now: Instant { Instant(sinceZero: .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds))) }

    package var wallTime: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package func soon(_ work: @escaping () -> Void) { loop.assumeIsolated().execute(work) }

    package func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm { EventLoopAlarm(loop: loop, ring: ring) }
}

private final class EventLoopAlarm: Alarm {
    private let loop: any EventLoop
    private let ring: () -> Void
    private var scheduled: Scheduled<Void>?
    private var instant: Instant?

    init(loop: any EventLoop, ring: @escaping () -> Void) {
        self.loop = loop
        self.ring = ring
    }

    deinit { scheduled?.cancel() }

    func set(_ instant: Instant?) {
        guard instant != self.instant else { return }
        scheduled?.cancel()
        scheduled = nil
        self.instant = instant
        guard let instant else { return }
        scheduled = loop.assumeIsolated().scheduleTask(deadline: NIODeadline(instant)) { [weak self] in
            guard let self else { return }
            self.scheduled = nil
            self.instant = nil
            self.ring()
        }
    }
}

extension NIODeadline {
    fileprivate init(_ instant: Instant) {
        let (seconds, attoseconds) = instant.sinceZero.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        // A deadline beyond the range never arrives; one before zero is now.
        let never = seconds > 0 && (overflow || sumOverflow)
        self = .uptimeNanoseconds(never ? UInt64(Int64.max) : UInt64(max(0, overflow ? 0 : sum)))
    }
}

/// Tasks on the daemon's loop: Dispatch's pool, once used, wakes the process every second, and an idle device must
/// sleep.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Only a loop that was shut down refuses, after the last task.
        loop.execute { job.runSynchronously(on: executor) }
    }
}
