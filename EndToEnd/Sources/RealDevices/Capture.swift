// SPDX-License-Identifier: Apache-2.0

import CPacketSocket
import Foundation

/// All traffic on one device's cable, in both directions, from its creation on.
///
/// A frame is captured before its receiver gets it, so the next `traffic` contains every frame that a receiver has
/// answered.
package final class Capture {
    /// Buffer in the kernel, bytes: far more than one test sends.
    private static let roomBytes: Int32 = 64 << 20
    /// The largest frame that the kernel passes on, which may combine several packets, bytes.
    private static let frameBytes = 128 << 10

    private let socket: Int32
    private var seen: Traffic

    /// `namespace`: the file of the network namespace of `interface`.
    init(namespace: String, interface: String, withStreams: Bool) throws {
        seen = Traffic(hasStreams: withStreams)
        socket = cpacket_open(namespace, interface, Self.roomBytes)
        guard socket >= 0 else { throw Unmet("\(interface) cannot be watched: \(String(cString: strerror(-socket)))") }
    }

    deinit { close(socket) }

    /// All traffic until now. Throws if a frame was missed or is malformed.
    package func traffic() throws -> Traffic {
        var buffer = [UInt8](repeating: 0, count: Self.frameBytes)
        var isLeaving: Int32 = 0
        while case let count = cpacket_read(socket, &buffer, buffer.count, &isLeaving), count != 0 {
            guard count > 0 else {
                throw Unmet("the cable cannot be read: \(String(cString: strerror(Int32(-count))))")
            }
            // Frames that leave the switch go to the device.
            try seen.add(Frame(bytes: Data(buffer[..<count]), isFromDevice: isLeaving == 0))
        }
        let lost = cpacket_lost(socket)
        guard lost == 0 else { throw Unmet("\(lost) frames were missed") }
        return seen
    }

    /// Returns once no datagram was seen for that time.
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
