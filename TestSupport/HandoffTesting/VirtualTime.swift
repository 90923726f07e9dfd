// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Time that only advances when a test says so. All in-memory implementations of a simulation share one, so a seed
/// determines all events. The only manual clock of this project.
package final class VirtualTime: TimeSource {
    fileprivate struct Entry {
        let instant: Instant
        let sequence: UInt64
        let run: () -> Void
    }

    package private(set) var now: Instant = .zero
    /// The wall clock at `now == .zero`.
    package var wallZero = WallTime(milliseconds: 1_800_000_000_000)
    package fileprivate(set) var alarmsRung = 0
    private var entries: [Entry] = []
    private var sequence: UInt64 = 0

    package init() {}

    package var wallTime: WallTime { wallZero.advanced(by: now.sinceZero) }

    /// Runs `work` after `delay` (at least zero), after everything already due at that instant.
    package func schedule(after delay: Duration, _ work: @escaping () -> Void) {
        let entry = Entry(instant: now.advanced(by: max(delay, .zero)), sequence: sequence, run: work)
        sequence += 1
        // Sorted, latest first, so that the next entry is at the end.
        let index = entries.partitioningIndex { ($0.instant, $0.sequence) < (entry.instant, entry.sequence) }
        entries.insert(entry, at: index)
    }

    /// Only the wall clock goes on.
    package func machineSleeps(for duration: Duration) { wallZero = wallZero.advanced(by: duration) }

    package func soon(_ work: @escaping () -> Void) { schedule(after: .zero, work) }

    package func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm { VirtualAlarm(time: self, ring: ring) }

    package var nextInstant: Instant? { entries.last?.instant }

    /// Runs the next due entry; false if nothing is due at or before `limit`.
    @discardableResult
    package func step(until limit: Instant) -> Bool {
        guard let next = entries.last, next.instant <= limit else { return false }
        entries.removeLast()
        now = max(now, next.instant)
        next.run()
        return true
    }

    /// Runs everything due within `duration`, then moves there. Traps after `bound` events, which stops endless loops.
    package func advance(by duration: Duration, bound: Int = 1_000_000) {
        let end = now.advanced(by: duration)
        var steps = 0
        while step(until: end) {
            steps += 1
            precondition(steps < bound, "endless talk: \(bound) events within \(duration)")
        }
        now = max(now, end)
    }

    /// Runs until `condition` holds; false if it does not within `limit`.
    package func run(until condition: () -> Bool, within limit: Duration) -> Bool {
        let end = now.advanced(by: limit)
        while !condition() {
            guard step(until: end) else {
                now = max(now, end)
                return condition()
            }
        }
        return true
    }
}

private final class VirtualAlarm: Alarm {
    private unowned let time: VirtualTime
    private let ring: () -> Void
    private var instant: Instant?
    /// Changes with each new instant, so that scheduled older alarms know they are outdated.
    private var generation: UInt64 = 0

    init(time: VirtualTime, ring: @escaping () -> Void) {
        self.time = time
        self.ring = ring
    }

    func set(_ instant: Instant?) {
        guard instant != self.instant else { return }
        self.instant = instant
        generation += 1
        guard let instant else { return }
        let generation = generation
        time.schedule(after: time.now.duration(to: instant)) { [weak self] in
            guard let self, self.generation == generation else { return }
            self.instant = nil
            self.time.alarmsRung += 1
            self.ring()
        }
    }
}

extension [VirtualTime.Entry] {
    // Binary search over the descending order.
    fileprivate func partitioningIndex(where isBefore: (VirtualTime.Entry) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Instant {
    package static func at(_ sinceZero: Duration) -> Instant { Instant(sinceZero: sinceZero) }
}
