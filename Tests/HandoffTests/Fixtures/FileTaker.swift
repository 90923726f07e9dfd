// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// The daemon's end of the socket for open files.
final class FileTaker: Sendable {
    struct Taken: Hashable {
        var token: [UInt8]
        /// Nil if nothing can be read, as from a folder.
        var text: String?
        /// A regular file or a folder, opened read-only.
        var isToRead: Bool
        var isClosedOnExec: Bool
        var isOfThisProcess: Bool
    }

    private let socket: DescriptorSocket

    init(_ locations: Locations) throws {
        socket = try DescriptorSocket.bound(to: locations.descriptors)
    }

    /// The next file that arrived; nil if there is none.
    func take() throws -> Taken? {
        guard var datagram = try socket.receive(FileToken.byteCount), let file = datagram.takeFile() else { return nil }
        return Taken(
            token: datagram.bytes,
            text: (try? file.readAll(limit: 1000)).map { String(decoding: $0, as: UTF8.self) },
            isToRead: file.isFileOrFolderToRead, isClosedOnExec: fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0,
            isOfThisProcess: datagram.processID == getpid() && datagram.userID == getuid())
    }

    /// False if no file arrives within ten seconds.
    func wait() -> Bool {
        var poller = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 10_000) == 1
    }

    func takeAll() throws -> [Taken] {
        var all: [Taken] = []
        while let next = try take() { all.append(next) }
        return all
    }
}
