// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A pipe to end another thread's poll. Many signals before it looks are one.
package struct WakeSignal: ~Copyable, Sendable {
    /// Readable after a signal.
    package let descriptor: CInt
    private let writing: CInt

    package init() {
        // A socket pair, for it takes the flags on creation: no program started meanwhile inherits it.
        var ends: [CInt] = [-1, -1]
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        precondition(socketpair(AF_UNIX, flags, 0, &ends) == 0, "this process has no file descriptor left")
        descriptor = ends[0]
        writing = ends[1]
    }

    deinit {
        _ = close(descriptor)
        _ = close(writing)
    }

    package func signal() {
        var byte: UInt8 = 1
        _ = send(writing, &byte, 1, CInt(MSG_NOSIGNAL))
    }

    /// Takes one signal, and leaves the others.
    package func clearOne() {
        var byte: UInt8 = 0
        _ = recv(descriptor, &byte, 1, 0)
    }

    package func clear() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while recv(descriptor, &bytes, MemoryLayout.size(ofValue: bytes), 0) > 0 {}
    }
}
