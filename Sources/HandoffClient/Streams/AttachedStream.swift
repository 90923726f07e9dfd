// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// A stream's connection that several hold: it is closed when the last of them lets go.
package final class AttachedStream: Sendable {
    package let socket: StreamSocket

    private let isPassedOn = Lock(false)

    package init(_ socket: consuming StreamSocket) { self.socket = socket }

    /// Somebody else has the connection from now on, by another descriptor: it outlives this one.
    package func passOn() {
        // It waits for room as long as it likes to.
        socket.waitForRoomWithoutLimit()
        isPassedOn.withLock { $0 = true }
    }

    deinit {
        guard !isPassedOn.withLock({ $0 }) else { return }
        // What came and nobody read would make the close an error for the daemon, which may still be reading.
        socket.cut()
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            while case .moved = socket.read(into: buffer) {}
        }
    }

    /// `body` is called once, on a thread of the library, when some bytes or their end have come, or when there is room
    /// for some or nobody takes any more. One waits for a direction; the newest counts.
    package func whenReady(for direction: StreamSocket.Direction, _ body: @escaping @Sendable () -> Void) {
        StreamPoller.shared.watch(self, for: direction, body)
    }

    package func forget(_ direction: StreamSocket.Direction) {
        StreamPoller.shared.forget(self, for: direction)
    }

    /// Waits on this thread until it is ready, or until the `StreamAlarm` is sounded for anybody.
    package func wait(for direction: StreamSocket.Direction) {
        var pollers = [
            pollfd(fd: socket.descriptor, events: Int16(direction.pollEvent), revents: 0),
            pollfd(fd: StreamAlarm.signal.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&pollers, nfds_t(pollers.count), StreamAlarm.signal.timeout(-1))
    }
}

/// Calls back threads that wait for a stream, in all of the process: a thread that is called takes one sound, and the
/// others go on waiting. Who sounds and who takes agree on it under a lock of their own.
package enum StreamAlarm {
    fileprivate static let signal = WakeSignal()

    package static func sound() { signal.signal() }
    package static func take() { signal.clearOne() }

    /// Waits until it is sounded for anybody.
    package static func wait() {
        var poller = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&poller, 1, signal.timeout(-1))
    }
}
