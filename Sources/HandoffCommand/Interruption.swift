// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Makes SIGINT, SIGTERM and SIGHUP waitable together with the daemon's connection.
struct Interruption {
    let descriptor: CInt

    /// From now on, these do not end the process.
    init() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("cannot create a pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends[0]
        signalled = ends[1]
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` ignores it, so that the command continues.
            guard number != SIGHUP || !Self.isIgnored(number) else { continue }
            signal(number) { _ in _ = write(signalled, "!", 1) }
            sigaddset(&unblocked, number)
        }
        // The parent may have blocked them.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN, not imported because it is not a function.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    func wait(_ duration: Duration) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        return poll(&poller, 1, CInt(clamping: milliseconds)) > 0
    }
}

/// The signal handler writes to it, and may access nothing else.
private nonisolated(unsafe) var signalled: CInt = -1
