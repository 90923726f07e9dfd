// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// The clock and disk of one run. After its end no alarm rings and nothing is written, as after SIGKILL, although its
/// objects may live longer.
final class Lifetime: TimeSource, StateStore {
    private let time: VirtualTime
    var clockError: Duration
    private let store: MemoryStateStore
    private(set) var isOver = false

    init(time: VirtualTime, clockError: Duration, store: MemoryStateStore) {
        self.time = time
        self.clockError = clockError
        self.store = store
    }

    func end() { isOver = true }

    var now: Instant { time.now }
    var wallTime: WallTime { time.wallTime.advanced(by: clockError) }

    func makeAlarm(_ ring: @escaping () -> Void) -> any Alarm {
        time.makeAlarm { [weak self] in
            guard let self, !isOver else { return }
            ring()
        }
    }

    func soon(_ work: @escaping () -> Void) {
        time.soon { [weak self] in
            guard let self, !isOver else { return }
            work()
        }
    }

    func read(_ name: String) throws(Failure) -> [UInt8]? { try store.read(name) }

    func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        guard !isOver else { return }
        try store.write(bytes, to: name)
    }

    func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void) {
        guard !isOver else { return }
        store.writeLater(bytes, to: name, failed: failed)
    }

    func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void) {
        guard !isOver else { return }
        store.write(bytes, to: name) { [weak self] failure in
            guard let self, !isOver else { return }
            then(failure)
        }
    }

    func finishWriting() throws(Failure) {
        guard !isOver else { return }
        try store.finishWriting()
    }

    func remove(_ name: String) throws(Failure) {
        guard !isOver else { return }
        try store.remove(name)
    }

    func names() throws(Failure) -> [String] { try store.names() }
}
