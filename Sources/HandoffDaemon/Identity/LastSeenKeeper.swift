// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// When other members were last connected.
final class LastSeenKeeper {
    static let file = "last-seen"

    private let store: any StateStore
    private let time: any TimeSource
    private let log: Logger
    private var machine = LastSeenStateMachine()
    private var alarm: (any Alarm)?

    init(store: any StateStore, time: any TimeSource, log: Logger) {
        self.store = store
        self.time = time
        self.log = log
    }

    func start(_ members: Set<DeviceID>) throws(Failure) {
        alarm = time.makeAlarm { [weak self] in self?.write() }
        machine = LastSeenStateMachine(LastSeen(file: try store.read(Self.file) ?? []))
        membersChanged(members)
    }

    func stop() {
        write(isLast: true)
        alarm?.set(nil)
    }

    subscript(device: DeviceID) -> WallTime? { machine.seen[device] }

    func connected(_ device: DeviceID) {
        machine.connected(device, at: time.wallTime, now: time.now)
        alarm?.set(machine.nextDeadline)
    }

    func membersChanged(_ members: Set<DeviceID>) {
        machine.membersChanged(members, now: time.now)
        alarm?.set(machine.nextDeadline)
    }

    private func write(isLast: Bool = false) {
        if let bytes = machine.deadlineReached(now: time.now, isLast: isLast) {
            store.writeLater(bytes, to: Self.file) { [log] failure in
                log.warning("When devices were last seen could not be saved", metadata: ["cause": "\(failure)"])
            }
        }
        alarm?.set(machine.nextDeadline)
    }
}
