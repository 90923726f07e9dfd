// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

/// Returns the memory of streams and documents to the system after they have ended. The list of a package alone has up
/// to 16 MiB.
final class MemoryAfterLoad {
    private let memory: (any ProcessMemory)?
    private let time: any TimeSource
    private var rule = MemoryReturn()
    private lazy var alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }

    init(_ memory: (any ProcessMemory)?, time: any TimeSource) {
        self.memory = memory
        self.time = time
    }

    func loadEnded() {
        rule.loadEnded(at: time.now)
        alarm.set(rule.nextDeadline)
    }

    func stop() { alarm.set(nil) }

    private func deadlineReached() {
        if rule.deadlineReached(at: time.now) { memory?.giveBack() }
        alarm.set(rule.nextDeadline)
    }
}
