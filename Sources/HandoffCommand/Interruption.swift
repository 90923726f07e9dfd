// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// SIGINT, SIGTERM and SIGHUP as something to wait for beside the daemon, for commands that go on until they are told to stop.
struct Interruption {
    /// Can be read once a signal came.
    let descriptor: CInt

    /// From now on these signals no longer end this process by themselves.
    init() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("no pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends[0]
        signalled = ends[1]
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Of `nohup`, which wants it to go on.
            guard number != SIGHUP || !Self.isIgnored(number) else { continue }
            signal(number) { _ in _ = write(signalled, "!", 1) }
            sigaddset(&unblocked, number)
        }
        // A parent may have started this with all signals blocked.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN, which is no function and so is not imported.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// True if a signal came before `duration` was over.
    func wait(_ duration: Duration) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        return poll(&poller, 1, CInt(clamping: milliseconds)) > 0
    }
}

/// Where the signal handler writes; it may touch nothing else.
private nonisolated(unsafe) var signalled: CInt = -1
