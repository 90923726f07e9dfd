// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Ends another thread's poll. Several signals before the poll act as one. A lack of free descriptors must not end the
/// process, which may be an app: polls are short until there is one.
package struct WakeSignal: ~Copyable, Sendable {
    private static let shortPoll: CInt = 100

    private struct Ends {
        var reading: CInt = -1
        var writing: CInt = -1
        var early = 0

        mutating func open() {
            guard reading < 0 else { return }
            // A socket pair takes the flags on creation, so that no child can inherit it.
            var ends: [CInt] = [-1, -1]
            let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            guard socketpair(AF_UNIX, flags, 0, &ends) == 0 else { return }
            (reading, writing) = (ends[0], ends[1])
            for _ in 0..<early { send() }
            early = 0
        }

        func send() {
            var byte: UInt8 = 1
            _ = Glibc.send(writing, &byte, 1, CInt(MSG_NOSIGNAL))
        }
    }

    private let ends = Lock(Ends())

    package init() {}

    deinit {
        ends.withLock { ends in
            guard ends.reading >= 0 else { return }
            _ = close(ends.reading)
            _ = close(ends.writing)
        }
    }

    /// Readable after a signal; -1 while no descriptor is free. Read it before each poll.
    package var descriptor: CInt {
        ends.withLock { ends in
            ends.open()
            return ends.reading
        }
    }

    /// Shorter without a descriptor. -1: infinite.
    package func timeout(_ milliseconds: CInt) -> CInt {
        guard descriptor < 0 else { return milliseconds }
        return milliseconds < 0 ? Self.shortPoll : min(milliseconds, Self.shortPoll)
    }

    package func signal() {
        ends.withLock { ends in
            ends.open()
            if ends.reading >= 0 { ends.send() } else { ends.early += 1 }
        }
    }

    package func clearOne() {
        ends.withLock { ends in
            var byte: UInt8 = 0
            if ends.reading >= 0 { _ = recv(ends.reading, &byte, 1, 0) } else { ends.early = max(0, ends.early - 1) }
        }
    }

    package func clear() {
        ends.withLock { ends in
            ends.early = 0
            var bytes: (UInt64, UInt64) = (0, 0)
            while recv(ends.reading, &bytes, MemoryLayout.size(ofValue: bytes), 0) > 0 {}
        }
    }
}
