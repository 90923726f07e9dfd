// SPDX-License-Identifier: Apache-2.0

import HandoffSystem

/// A center's waits, which end when a test says so.
final class Alarms: Sendable {
    private struct Alarm: Sendable {
        let delay: Duration
        let work: @Sendable () -> Void
    }

    private let alarms = Lock<[Alarm]>([])

    var wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void {
        { [self] delay, work in alarms.withLock { $0.append(Alarm(delay: delay, work: work)) } }
    }

    /// Ends the waits of at most that length.
    func pass(_ time: Duration) {
        let due = alarms.withLock { alarms in
            let due = alarms.filter { $0.delay <= time }
            alarms.removeAll { $0.delay <= time }
            return due
        }
        for alarm in due { alarm.work() }
    }
}
