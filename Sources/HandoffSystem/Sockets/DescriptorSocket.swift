// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Each datagram passes one open file.
package struct DescriptorSocket: ~Copyable, Sendable {
    /// Readable once a datagram arrives.
    package let descriptor: CInt

    private init() throws(SystemError) {
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
    }

    deinit { _ = Glibc.close(descriptor) }

    // MARK: Sending

    /// Throws `ENOENT` or `ECONNREFUSED` without a reader, `EACCES` for another user's.
    package static func connected(to path: String) throws(SystemError) -> DescriptorSocket {
        let address = try address(path)
        // By the file: a datagram socket does not reveal its owner.
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemError(errno, path) }
        guard status.st_uid == geteuid() else { throw SystemError(EACCES, path, "\(path) belongs to another user") }
        let socket = try DescriptorSocket()
        guard address.withSocketAddress({ connect(socket.descriptor, $0, $1) }) == 0 else {
            throw SystemError(errno, path)
        }
        return socket
    }

    /// Waits up to `limit`, because the system may queue only ten datagrams; then throws `EAGAIN`.
    package func send(
        _ bytes: [UInt8], with file: borrowing OpenFile, within limit: Duration = .zero
    ) throws(SystemError) {
        let deadline = ContinuousClock.now + limit
        while chandoff_send_descriptor(descriptor, bytes, bytes.count, file.descriptor) != 0 {
            let error = SystemError("sendmsg")
            let left = ContinuousClock.now.duration(to: deadline).pollMilliseconds
            guard error.code == EAGAIN, left > 0 else { throw error }
            var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&poller, 1, left)
        }
    }

    // MARK: Receiving

    /// For this user only. Replaces a dead process's socket, as the caller ensures.
    package static func bound(to path: String) throws(SystemError) -> DescriptorSocket {
        let address = try address(path)
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.kind == S_IFSOCK else {
                throw SystemError(EEXIST, path, "\(path) is in the way: it is not a socket")
            }
            unlink(path)
        }
        let socket = try DescriptorSocket()
        var on: CInt = 1
        guard
            setsockopt(socket.descriptor, SOL_SOCKET, SO_PASSCRED, &on, socklen_t(MemoryLayout<CInt>.size)) == 0,
            // Before `bind`, which creates the file with this mode.
            fchmod(socket.descriptor, 0o600) == 0,
            address.withSocketAddress({ bind(socket.descriptor, $0, $1) }) == 0
        else { throw SystemError(errno, path) }
        return socket
    }

    package struct Datagram: ~Copyable, Sendable {
        /// Up to one byte more than requested.
        package let bytes: [UInt8]
        /// According to the kernel; 0 if unknown.
        package let processID: Int32
        package let userID: UInt32
        /// Nil unless exactly one was passed.
        private var file: OpenFile?

        fileprivate init(bytes: [UInt8], processID: Int32, userID: UInt32, file: consuming OpenFile?) {
            self.bytes = bytes
            self.processID = processID
            self.userID = userID
            self.file = consume file
        }

        package mutating func takeFile() -> OpenFile? { file.take() }
    }

    /// Nil if none is waiting.
    package func receive(_ most: Int) throws(SystemError) -> Datagram? {
        var buffer = [UInt8](repeating: 0, count: most + 1)
        var datagram = chandoff_datagram()
        let result = chandoff_receive_descriptor(descriptor, &buffer, buffer.count, &datagram)
        guard result == 0 else {
            if errno == EAGAIN { return nil }
            throw SystemError("recvmsg")
        }
        let file =
            datagram.descriptor < 0 ? nil : OpenFile(descriptor: datagram.descriptor, path: "a file that was sent here")
        return Datagram(
            bytes: Array(buffer.prefix(datagram.count)), processID: datagram.process, userID: datagram.user, file: file)
    }

    private static func address(_ path: String) throws(SystemError) -> sockaddr_un {
        guard let address = sockaddr_un(path: path) else {
            throw SystemError(ENAMETOOLONG, path, "\(path) is too long for a socket's name")
        }
        return address
    }
}
