// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package enum SignalPipe {
    /// The signal handler writes to it, and may access nothing else. Set once, before the handlers.
    nonisolated(unsafe) private static var writing: CInt = -1

    /// These signals no longer end the process. Each puts a byte into a pipe; returns its reading end. Started programs
    /// get the default handlers. Call once.
    package static func open(_ signals: [CInt]) throws(SystemError) -> CInt {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writing = ends[1]
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in signals {
            signal(number) { _ in _ = write(SignalPipe.writing, "!", 1) }
            sigaddset(&unblocked, number)
        }
        // The parent may have blocked them.
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        return ends[0]
    }
}
