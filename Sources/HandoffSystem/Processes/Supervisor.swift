// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Implements sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3) without libsystemd. Without a service manager,
/// does nothing.
package struct Supervisor: Sendable {
    /// The service manager may not read.
    package static let patience = Duration.seconds(1)
    private static let firstDescriptor: CInt = 3
    /// The variable may hold any number.
    package static let mostSockets = 64

    /// With these a child could notify for this program, or use its sockets.
    package static let variables: Set<String> = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Longest time between `alive` messages. Nil: no watchdog.
    package let watchdog: Duration?
    private let notifySocket: String?
    private let passedCount: Int
    private let passedNames: [String]

    package static let absent = Supervisor(environment: [:], process: 0)

    package init(environment: [String: String], process: Int32) {
        notifySocket = environment["NOTIFY_SOCKET"]
        let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        watchdog =
            isWatched
            ? environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
        let isMeant = environment["LISTEN_PID"] == "\(process)"
        passedCount = isMeant ? min(max(environment["LISTEN_FDS"].flatMap(Int.init) ?? 0, 0), Self.mostSockets) : 0
        passedNames = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":").map(String.init)
    }

    // MARK: Notifications

    package func ready() throws(SystemError) { try tell("READY=1") }
    package func stopping() throws(SystemError) { try tell("STOPPING=1") }
    /// More often than `watchdog`.
    package func alive() throws(SystemError) { try tell("WATCHDOG=1") }

    private func tell(_ words: String) throws(SystemError) {
        guard let notifySocket else { return }
        guard let address = SupervisorAddress(notifySocket) else {
            throw SystemError(EINVAL, notifySocket, "NOTIFY_SOCKET is not the address of a socket: \(notifySocket)")
        }
        let socket = OpenFile(
            descriptor: Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), path: notifySocket)
        guard socket.descriptor >= 0 else { throw SystemError("socket") }
        var limit = timeval(tv_sec: Int(Self.patience.components.seconds), tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let count = address.withSocketAddress { pointer, length in
            retrying {
                sendto(socket.descriptor, words, words.utf8.count, CInt(MSG_NOSIGNAL), pointer, length)
            }
        }
        guard count == words.utf8.count else { throw SystemError(errno, notifySocket) }
    }

    // MARK: Sockets

    /// The passed socket, which listens at `path`. Nil without a socket, or if its file was removed, which the service
    /// manager does not notice. Call once; the caller owns the result.
    ///
    /// Throws for several sockets, another kind or another path, because clients would look elsewhere.
    package func takeListener(at path: String) throws(SystemError) -> OpenFile? {
        guard passedCount > 0 else { return nil }
        guard passedCount == 1 else {
            let names = passedNames.isEmpty ? "" : " (\(passedNames.joined(separator: ", ")))"
            throw SystemError(
                EINVAL, path,
                "the service manager passed \(passedCount) sockets\(names); only one is expected, at \(path)")
        }
        let socket = OpenFile(descriptor: Self.firstDescriptor, path: path)
        if !path.isThere, socket.boundPath == path { return nil }
        if let fault = socket.faultAsListener(at: path) {
            throw SystemError(
                EINVAL, path, "the socket that the service manager passed \(fault); it should listen at \(path)")
        }
        // Passed blocking and inheritable, but no child may get it, and no call may block.
        _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket.descriptor, F_SETFL, fcntl(socket.descriptor, F_GETFL) | O_NONBLOCK)
        return socket
    }
}

/// A path, or `@` and an abstract name.
private struct SupervisorAddress {
    private var address: sockaddr_un
    private let length: socklen_t

    init?(_ text: String) {
        let name = Array(text.utf8.dropFirst())
        guard let first = text.first, first == "/" || first == "@", !name.isEmpty,
            var address = sockaddr_un(path: text)
        else { return nil }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // An abstract name begins with a zero and has no terminator.
        if first == "@" { address.sun_path.0 = 0 }
        self.address = address
        length = socklen_t(start + 1 + name.count + (first == "@" ? 0 : 1))
    }

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        address.withSocketAddress { pointer, _ in body(pointer, length) }
    }
}
