// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// SIGINT, SIGTERM and SIGHUP, waitable together with the daemon's connection.
struct Interruption {
    let descriptor: CInt

    /// From now on, these do not end the process.
    init() {
        // `nohup` ignores it, so that the command continues.
        let signals = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
        do throws(SystemError) { descriptor = try SignalPipe.open(signals) } catch {
            fatalError("cannot create a pipe for signals: \(error.reason)")
        }
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
