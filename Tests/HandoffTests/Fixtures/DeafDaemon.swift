// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffWire

/// Says welcome and never reads.
final class DeafDaemon {
    private var listener: CInt = -1

    func start(at locations: Locations) throws {
        mkdir(locations.runtime, 0o700)
        listener = try listeningSocket(at: locations.socket)
        let welcome = Welcome(
            version: 1, deviceName: DisplayText(cleaning: "laptop"), isRegistered: true,
            software: DisplayText(cleaning: "deaf"))
        let bytes = try FrameHeader.framed(
            try LocalFrame(.welcome(welcome), answer: 1).encoded(), limit: Limits.helloFrameBytes)
        let listener = listener
        onThread {
            let connection = accept(listener, nil, nil)
            _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            // Until the client gives up.
            var poller = pollfd(fd: connection, events: 0, revents: 0)
            poll(&poller, 1, 60_000)
            close(connection)
        }
    }

    /// After its one client came.
    func stop() { close(listener) }
}
