// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Does not wait for its reader: a stopped terminal or a full pipe must not stop the daemon. Drops lines without room,
/// and writes their number once there is room.
package final class DroppingStream: TextOutputStream, Sendable {
    /// With this much room, the kernel reports a pipe as writable.
    private static let pieceBytes = 4096

    private let descriptor: CInt
    private let dropped = Lock(0)

    package init(_ descriptor: CInt) { self.descriptor = descriptor }

    package func write(_ line: String) {
        dropped.withLock { dropped in
            if dropped > 0, writeNow("\(dropped) lines were not written, because nothing read them\n") { dropped = 0 }
            if dropped > 0 || !writeNow(line) { dropped += 1 }
        }
    }

    /// False without room at the beginning. Without room later, the rest is dropped.
    private func writeNow(_ line: String) -> Bool {
        var rest = Array(line.utf8)[...]
        var isBegun = false
        while !rest.isEmpty {
            guard isWritable else { return isBegun }
            let count = rest.prefix(Self.pieceBytes).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            // The number of dropped lines would have no reader.
            guard count > 0 else { return true }
            isBegun = true
            rest = rest.dropFirst(count)
        }
        return true
    }

    private var isWritable: Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return retrying { Int(poll(&poller, 1, 0)) } > 0
    }
}
