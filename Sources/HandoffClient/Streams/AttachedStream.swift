// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Shared; closed when the last owner releases it.
package final class AttachedStream: Sendable {
    package let socket: StreamSocket

    private let isPassedOn = Lock(false)

    package init(_ socket: consuming StreamSocket) { self.socket = socket }

    /// Another owner uses the connection, through its own descriptor.
    package func passOn() {
        // The new owner's blocking writes must have no time limit.
        socket.waitForRoomWithoutLimit()
        isPassedOn.withLock { $0 = true }
    }

    deinit {
        guard !isPassedOn.withLock({ $0 }) else { return }
        // With unread bytes, the close would be an error for the daemon, which may still be reading.
        socket.cut()
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            while case .moved = socket.read(into: buffer) {}
        }
    }

    /// Calls `body` once, on the poller's thread, when the socket is ready. A new callback replaces that of the same
    /// direction.
    package func whenReady(for direction: StreamSocket.Direction, _ body: @escaping @Sendable () -> Void) {
        StreamPoller.shared.watch(self, for: direction, body)
    }

    package func forget(_ direction: StreamSocket.Direction) {
        StreamPoller.shared.forget(self, for: direction)
    }

    /// Also returns if any `StreamAlarm` sounds.
    package func wait(for direction: StreamSocket.Direction) {
        var pollers = [
            pollfd(fd: socket.descriptor, events: Int16(direction.pollEvent), revents: 0),
            pollfd(fd: StreamAlarm.signal.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&pollers, nfds_t(pollers.count), StreamAlarm.signal.timeout(-1))
    }
}

/// Wakes the process's threads that wait for a stream. A woken thread takes one signal; the others continue to wait.
/// Callers need their own lock.
package enum StreamAlarm {
    fileprivate static let signal = WakeSignal()

    package static func sound() { signal.signal() }
    package static func take() { signal.clearOne() }

    package static func wait() {
        var poller = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&poller, 1, signal.timeout(-1))
    }
}
