// SPDX-License-Identifier: Apache-2.0

import CPacketSocket
import Foundation

/// Everything that goes over one device's cable, in both directions, from when it was begun.
///
/// A frame is here before its receiver has it, so what a receiver has answered to is in the next `traffic`.
package final class Capture {
    /// Room in the kernel, bytes: far more than one test sends.
    private static let roomBytes: Int32 = 64 << 20
    /// A frame as the kernel hands it on, several packets in one, bytes.
    private static let frameBytes = 128 << 10

    private let socket: Int32
    private var seen: Traffic

    /// `namespace`: the file of the network namespace that `interface` is in.
    init(namespace: String, interface: String, withStreams: Bool) throws {
        seen = Traffic(hasStreams: withStreams)
        socket = cpacket_open(namespace, interface, Self.roomBytes)
        guard socket >= 0 else { throw Unmet("\(interface) cannot be watched: \(String(cString: strerror(-socket)))") }
    }

    deinit { close(socket) }

    /// All until now. Throws if a frame was missed, or is none.
    package func traffic() throws -> Traffic {
        var buffer = [UInt8](repeating: 0, count: Self.frameBytes)
        var isLeaving: Int32 = 0
        while case let count = cpacket_read(socket, &buffer, buffer.count, &isLeaving), count != 0 {
            guard count > 0 else {
                throw Unmet("the cable cannot be read: \(String(cString: strerror(Int32(-count))))")
            }
            // What leaves the switch goes to the device.
            try seen.add(Frame(bytes: Data(buffer[..<count]), isFromDevice: isLeaving == 0))
        }
        let lost = cpacket_lost(socket)
        guard lost == 0 else { throw Unmet("\(lost) frames were missed") }
        return seen
    }

    /// Returns when no datagram went by for so long.
    package func awaitSilence(for quiet: Duration, within bound: Duration = .seconds(10)) throws {
        let end = ContinuousClock.now + bound
        var last = (count: try traffic().datagrams.count, at: ContinuousClock.now)
        while ContinuousClock.now < last.at + quiet {
            guard ContinuousClock.now < end else { throw Unmet("datagrams go by all the time") }
            var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: last.at + quiet)
            poll(&poller, 1, Int32(max(1, left / .milliseconds(1))))
            let count = try traffic().datagrams.count
            if count != last.count { last = (count, .now) }
        }
    }
}
