// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffClient
import HandoffSystem
import HandoffWire

/// Welcomes its only client and reads nothing until it is told to.
final class DeafDaemon: Sendable {
    /// The frames it read, without the hello.
    let frames = Mailbox<LocalFrame>()
    private let listener = Lock<CInt>(-1)
    /// Closing the other end makes it hang up; writing to it makes it read.
    private let orders: (taking: CInt, giving: CInt)

    init() {
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        orders = (ends[0], ends[1])
    }

    func start(at locations: Locations) throws {
        mkdir(locations.runtime, 0o700)
        let listener = try listeningSocket(at: locations.socket)
        self.listener.withLock { $0 = listener }
        let welcome = Welcome(
            version: 1, deviceName: DisplayText(cleaning: "laptop"), isRegistered: true,
            software: DisplayText(cleaning: "deaf"))
        let bytes = try FrameHeader.framed(
            try LocalFrame(.welcome(welcome), answer: 1).encoded(), limit: Limits.helloFrameBytes)
        onThread { [frames, orders] in
            let connection = accept(listener, nil, nil)
            _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            // Until it must listen or hang up, or the client gives up.
            var pollers = [
                pollfd(fd: connection, events: 0, revents: 0),
                pollfd(fd: orders.taking, events: Int16(POLLIN), revents: 0),
            ]
            poll(&pollers, 2, 60_000)
            var order: UInt8 = 0
            if pollers[1].revents != 0, recv(orders.taking, &order, 1, 0) == 1 {
                readFrames(from: connection) { frame in
                    if case .hello = frame.message { return }
                    frames.post(frame)
                }
            }
            close(connection)
            close(orders.taking)
        }
    }

    func listen() {
        var order: UInt8 = 1
        send(orders.giving, &order, 1, CInt(MSG_NOSIGNAL))
    }

    func hangUp() { shutdown(orders.giving, CInt(SHUT_RDWR)) }

    /// Call this after the client has connected.
    func stop() {
        listener.withLock { listener in
            if listener >= 0 { close(listener) }
            listener = -1
        }
    }

    deinit { close(orders.giving) }
}
