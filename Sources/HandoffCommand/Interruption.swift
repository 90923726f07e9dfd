// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// SIGINT and SIGTERM as something to wait for beside the daemon, for commands that go on until they are told to stop.
struct Interruption {
    /// Can be read once a signal came.
    let descriptor: CInt

    /// From now on the two signals no longer end this process by themselves.
    init() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("no pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends[0]
        signalled = ends[1]
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _ = write(signalled, "!", 1) }
            sigaddset(&unblocked, number)
        }
        // A parent may have started this with all signals blocked.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
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
