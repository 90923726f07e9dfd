// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// A connection to the daemon. Reading and writing never block.
struct UnixSocket: ~Copyable {
    enum Transfer: Equatable {
        case moved(Int)
        /// Try again after `wait`.
        case wouldBlock
        case closed
    }

    let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    init(adopting descriptor: CInt) { self.init(descriptor: descriptor) }

    deinit { _ = Glibc.close(descriptor) }

    /// `timeout` limits the wait for a busy daemon. Throws `.connectionUnavailable`, or `.notAllowed` if another user
    /// answers.
    static func connect(path: String, timeout: Duration) throws(Failure) -> UnixSocket {
        guard let address = sockaddr_un(path: path) else {
            throw Failure(
                .connectionUnavailable, "the path of the daemon's socket is too long for the system: \(path)")
        }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure(errno, path: path) }
        let connection = UnixSocket(descriptor: descriptor)

        // Limits a connect, which blocks while the backlog is full.
        connection.setSendLimit(timeval(timeout))
        let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else { throw Self.failure(errno, path: path) }
        try connection.checkOwner(path: path)
        return connection
    }

    /// For blocking calls; zero: none.
    func setSendLimit(_ limit: timeval = timeval()) {
        var limit = limit
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func write(_ bytes: some Collection<UInt8>) -> Transfer {
        let count =
            bytes.withContiguousStorageIfAvailable { Self.send(descriptor, UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { Self.send(descriptor, $0) }
        return Self.transfer(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer { Self.transfer(Self.send(descriptor, bytes)) }

    /// `buffer` must not be empty.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
        return count == 0 ? .closed : Self.transfer(count)
    }

    /// `.moved` if bytes are available; consumes none.
    func peek() -> Transfer {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK))
        return count == 0 ? .closed : Self.transfer(count)
    }

    /// Also wakes waiting threads.
    func shutDown(_ how: CInt) { _ = shutdown(descriptor, how) }

    func read(into assembler: inout FrameAssembler, through buffer: inout [UInt8]) -> Transfer {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT)) }
        guard count != 0 else { return .closed }
        if count > 0 { assembler.append(buffer[..<count]) }
        return Self.transfer(count)
    }

    /// True after one of `events` (POLLIN, POLLOUT) or the connection's end; false at the deadline.
    func wait(for events: CInt, until deadline: ContinuousClock.Instant?) -> Bool {
        while true {
            var poller = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
            let timeout = deadline.map { ContinuousClock.now.duration(to: $0).pollMilliseconds } ?? -1
            let result = poll(&poller, 1, timeout)
            if result > 0 { return true }
            if result < 0, errno != EINTR { return true }
            if let deadline, ContinuousClock.now >= deadline { return false }
        }
    }

    private static func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    private static func transfer(_ count: Int) -> Transfer {
        if count >= 0 { return .moved(count) }
        switch errno {
        case EAGAIN, EINTR: return .wouldBlock
        default: return .closed
        }
    }

    /// The other end receives activities' state, so it must be this user's own daemon.
    private func checkOwner(path: String) throws(Failure) {
        // `struct ucred`, which Glibc does not export to Swift.
        var credentials: (pid: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials.user == geteuid()
        else {
            throw Failure(.notAllowed, "the daemon at \(path) is run by another user")
        }
    }

    private static func failure(_ error: CInt, path: String) -> Failure {
        func unusable(_ reason: String) -> Failure { Failure(.connectionUnavailable, reason) }
        return switch error {
        case ENOENT, ENOTDIR: .noDaemon(detail: "the socket \(path) does not exist")
        case ECONNREFUSED: .noDaemon(detail: "nothing listens at \(path)")
        case EACCES, EPERM: unusable("no permission to use the daemon's socket at \(path)")
        case EAGAIN, EINPROGRESS: unusable("the daemon at \(path) is too busy to accept a connection")
        default: unusable("the daemon's socket at \(path) cannot be used: \(String(cString: strerror(error)))")
        }
    }
}

extension timeval {
    /// At least a microsecond, because zero means no limit.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = attoseconds / 1_000_000_000_000
        self.init(tv_sec: max(0, Int(seconds)), tv_usec: seconds <= 0 ? max(1, Int(microseconds)) : Int(microseconds))
    }
}
