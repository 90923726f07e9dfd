// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffClient
internal import HandoffWire

/// logind waits, a few seconds at most, while this process has its lock open.
final class SleepWatch {
    private let daemon: DaemonClient
    private var connection: BusConnection?
    private var lock: SharedDescriptor?
    private var isAsleep = false
    /// Answers for an earlier sleep are ignored.
    private var sleeps: UInt64 = 0

    init(daemon: DaemonClient) { self.daemon = daemon }

    /// `bus`: nil while logind does not run.
    func logindChanged(on bus: BusConnection?) {
        connection = bus
        lock = nil
        if bus == nil { awake() } else { takeLock() }
    }

    func prepare(_ isSleepAhead: Bool) {
        guard isSleepAhead else {
            awake()
            return takeLock()
        }
        isAsleep = true
        sleeps += 1
        guard daemon.isConnected else { return lock = nil }
        daemon.request(.presence(.setSleep(true))) { [weak self, sleeps] _ in
            if self?.sleeps == sleeps { self?.lock = nil }
        }
    }

    private func awake() {
        guard isAsleep else { return }
        isAsleep = false
        sleeps += 1
        if daemon.isConnected { daemon.send(.presence(.setSleep(false))) }
    }

    private func takeLock() {
        let call = BusCall(
            LogindWatch.service, LogindWatch.path, LogindWatch.manager, "Inhibit",
            [.string("sleep"), .string("Handoff"), .string("Says goodbye to the other devices"), .string("delay")],
            mayStart: false)
        connection?.call(call) { [weak self] answer in
            switch answer {
            case .success(let answer):
                guard let self, case .descriptor(let descriptor)? = answer[0], !isAsleep else { return }
                lock = descriptor
            // The end of a sleep is the next occasion.
            case .failure(let failure): Complaint.say("cannot delay sleep: \(failure.sentence)")
            }
        }
    }
}
